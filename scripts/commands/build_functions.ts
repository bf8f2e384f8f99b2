import { rmSync, statSync } from "node:fs";
import { relative } from "node:path";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { bundleFunctions, bundleOf, functionNames } from "../stack/function_bundles.ts";
import { deployedFunctions, projectRoot } from "../stack/paths.ts";
import { Problem } from "../stack/problem.ts";

const command = describeCommand({
  usage: "npm run functions:build",
  summary: `Writes what \`supabase functions deploy\` uploads: one file for each edge function, in supabase/functions, with everything that the
function needs inside. Exit status 1 if a file is larger than Supabase accepts.`,
});

/** `functions deploy --use-api` accepts at most 5 MB, and failures are known from about 3.9 MB (supabase/cli, issue 5076). */
const largestMegabytes = 3.8;

async function run(): Promise<void> {
  rmSync(deployedFunctions, { recursive: true, force: true });
  await bundleFunctions(deployedFunctions);
  for (const name of functionNames()) {
    const file = bundleOf(name, deployedFunctions);
    const megabytes = statSync(file).size / 1e6;
    console.log(`${relative(projectRoot, file)}  ${megabytes.toFixed(2)} MB`);
    if (megabytes > largestMegabytes) {
      throw new Problem(`The edge function ${name} has ${megabytes.toFixed(2)} MB. The largest size is ${largestMegabytes} MB.`, "Remove packages or files that it does not need.");
    }
  }
}

await runCommandLine(command, run);
