import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { build, type BuildFailure, type Plugin } from "esbuild";
import { functionBuilds, projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { licenceTexts, noticesFile, thirdPartyNotices } from "./third_party_notices.ts";

const sources = join(projectRoot, "functions");

/** The names of the edge functions: folders of functions/ that have an index.ts. */
export function functionNames(): string[] {
  return readdirSync(sources).filter((name) => existsSync(join(sources, name, "index.ts")));
}

/** The bundle of an edge function in the folder that {@link bundle} or {@link buildFunctions} returned. */
export function bundleOf(name: string, folder: string): string {
  return join(folder, name, "index.js");
}

/** Imports modules of Node by the names that every version of Deno knows. */
const nodeModules: Plugin = {
  name: "node-modules",
  setup(builder) {
    builder.onResolve({ filter: /^[a-z_/]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path: `node:${path}`, external: true } : undefined,
    );
  },
};

/** Nearly the smallest result; a higher quality takes ten times as long. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 } };

const BINARY = /\.(?:wasm|woff2|glyphs)$/;
/** An expression that names a binary file, with its path in quotation marks. */
export const BINARY_URL = /new URL\(\s*("[^"]+\.(?:wasm|woff2|glyphs)"),\s*import\.meta\.url,?\s*\)/g;

/** Replaces the URL of a binary file by its content, which `functions/_shared/ground/assets.ts` reads. */
const binaryFiles: Plugin = {
  name: "binary-files",
  setup(builder) {
    builder.onLoad({ filter: /\/functions\/.+\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      return { contents: text.replaceAll(BINARY_URL, "import($1)"), loader: "ts" };
    });
    builder.onLoad({ filter: BINARY }, async ({ path }) => {
      const compressed = await promisify(brotliCompress)(await readFile(path), BROTLI);
      return { contents: `export default ${JSON.stringify(compressed.toString("base64"))};`, loader: "js" };
    });
  },
};

/**
 * Bundles programs for Deno, each into one file that needs no other file and no package.
 * @param entries the path of each program, by its name
 * @returns the paths of what they contain
 * @throws Problem with the errors of the bundler
 */
export async function bundle(entries: Record<string, string>, folder: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: Object.entries(entries).map(([name, path]) => ({ in: path, out: join(name, "index") })),
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    // ES modules, because a CommonJS module would need `require`.
    mainFields: ["module", "main"],
    // postgres.js uses globals of Node that are not global in every version of Deno.
    inject: [join(sources, "_shared/ground/node_globals.ts")],
    plugins: [nodeModules, binaryFiles],
    define: { SOURCE_HASH: JSON.stringify(sourceHash()) },
    charset: "utf8",
    // Names are kept, for the stack traces in the logs.
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: "// Built from functions/ by `npm run functions:build`; do not edit." },
    logLevel: "silent",
    metafile: true,
  }).catch((error: unknown) => {
    const lines = (error as BuildFailure).errors.map(
      ({ text, location }) => `${location?.file ?? ""}:${location?.line ?? ""} ${text}`,
    );
    throw new Problem(
      `The edge functions could not be bundled:\n${lines.join("\n")}`,
      "Fix the reported error and start again.",
    );
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => join(projectRoot, path)),
  );
}

/** Bundles all edge functions, with the notices of what they contain beside them. */
export async function bundleFunctions(folder: string): Promise<void> {
  const entries = Object.fromEntries(functionNames().map((name) => [name, join(sources, name, "index.ts")]));
  writeFileSync(join(folder, noticesFile), thirdPartyNotices(await bundle(entries, folder)) ?? "");
}

/**
 * A hash of everything that the bundles depend on. A bundle says it in the header `x-store-source` of its OpenAPI
 * document.
 */
export function sourceHash(): string {
  const files = [sources, licenceTexts]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  const builders = [import.meta.filename, join(import.meta.dirname, "third_party_notices.ts")];
  const hash = createHash("sha256");
  for (const file of [...files.sort(), join(projectRoot, "package-lock.json"), ...builders])
    hash.update(basename(file)).update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

/** Bundles all edge functions, unless bundles of the same sources exist. @returns their folder */
export async function buildFunctions(): Promise<string> {
  const folder = join(functionBuilds, sourceHash());
  if (existsSync(folder)) return folder;
  // Built in a temporary folder and renamed when complete, because another run may build the same sources.
  const unfinished = `${folder}.${process.pid}`;
  await bundleFunctions(unfinished);
  mkdirSync(functionBuilds, { recursive: true });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}
