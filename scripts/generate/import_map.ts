import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { projectRoot } from "../ground/paths.ts";
import { functionNames } from "./function_bundles.ts";
import type { GeneratedFile } from "./openapi_files.ts";

const DRIVER = "node_modules/postgres/src";

/** What files and all that they use import from packages and from Node, such as `hono/cors`. */
async function packagesOf(paths: string[]): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: paths.map((path) => join(projectRoot, path)),
    outdir: projectRoot,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    packages: "external",
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return [...new Set(imports.map(({ path }) => path))].sort();
}

/**
 * The packages of the edge functions for `supabase functions serve`, in the versions of package-lock.json. The driver
 * of the database is the one in node_modules, because it is patched (patches/).
 */
export async function importMap(): Promise<GeneratedFile> {
  const lock = readFileSync(join(projectRoot, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { packages: Record<string, { version: string }> };
  const used = await packagesOf(functionNames().map((name) => `functions/${name}/index.ts`));
  const imports = used
    .filter((name) => !isBuiltin(name))
    .map((name) => {
      if (name === "postgres") return [name, `../../${DRIVER}/index.js`];
      const [, packageName, path] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(name)!;
      return [name, `npm:${packageName}@${packages[`node_modules/${packageName}`]!.version}${path}`];
    });
  const ofDriver = (await packagesOf([`${DRIVER}/index.js`])).map((name) => [name, `node:${name}`]);
  const map = {
    imports: Object.fromEntries(imports) as object,
    scopes: { [`../../${DRIVER}/`]: Object.fromEntries(ofDriver) as object },
  };
  return {
    path: join(projectRoot, "supabase/functions/deno.json"),
    content: `${JSON.stringify(map, null, 2)}\n`,
  };
}
