import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parse, stringify } from "smol-toml";
import { bundleFunctions, bundleOf, functionNames } from "./function_bundles.ts";
import { deployedFunctions, deploymentFolder, projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";

/**
 * `functions deploy --use-api` accepts at most 5 MB, and failures are known from about 3.9 MB (supabase/cli, issue
 * 5076).
 */
const largestMegabytes = 3.8;

/** The settings of the functions in supabase/config.toml, for functions that are one file each. */
export function configOfBundles(): string {
  const config = parse(readFileSync(join(projectRoot, "supabase/config.toml"), "utf8")) as {
    project_id: string;
    functions: Record<string, { enabled: boolean; verify_jwt: boolean }>;
  };
  const functions = Object.entries(config.functions).map(([name, { enabled, verify_jwt }]) => [
    name,
    { enabled, verify_jwt, entrypoint: `./functions/${name}/index.js` },
  ]);
  return stringify({ project_id: config.project_id, functions: Object.fromEntries(functions) as object });
}

/**
 * Writes what `npm run functions:deploy` uploads, and prints the sizes.
 * @throws Problem if a file is larger than Supabase accepts
 */
export async function writeDeployedFunctions(): Promise<void> {
  rmSync(deploymentFolder, { recursive: true, force: true });
  await bundleFunctions(deployedFunctions);
  writeFileSync(join(deploymentFolder, "supabase/config.toml"), configOfBundles());
  for (const name of functionNames()) {
    const file = bundleOf(name, deployedFunctions);
    const megabytes = statSync(file).size / 1e6;
    console.log(`${relative(projectRoot, file)}  ${megabytes.toFixed(2)} MB`);
    if (megabytes > largestMegabytes) {
      throw new Problem(
        `The edge function ${name} has ${megabytes.toFixed(2)} MB. The largest size is ${largestMegabytes} MB.`,
        "Remove packages or files that it does not need.",
      );
    }
  }
}
