import { rmSync, statSync } from "node:fs";
import { relative } from "node:path";
import { bundleFunctions, bundleOf, functionNames } from "./function_bundles.ts";
import { deployedFunctions, projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";

/**
 * `functions deploy --use-api` accepts at most 5 MB, and failures are known from about 3.9 MB (supabase/cli, issue
 * 5076).
 */
const largestMegabytes = 3.8;

/**
 * Writes what `supabase functions deploy` uploads, and prints the sizes.
 * @throws Problem if a file is larger than Supabase accepts
 */
export async function writeDeployedFunctions(): Promise<void> {
  rmSync(deployedFunctions, { recursive: true, force: true });
  await bundleFunctions(deployedFunctions);
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
