import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { linkedProject, runAsUser } from "../command_line/supabase_cli.ts";
import { writeDeployedFunctions } from "../generate/bundles_to_deploy.ts";
import { functionNames } from "../generate/function_bundles.ts";
import { deploymentFolder } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";

const command = describeCommand({
  usage: "npm run functions:deploy --",
  summary: `Builds the edge functions from the sources in this folder and deploys them with the Supabase CLI and its login. A bundle that was built
before is never deployed. Exit status 1 if a file is larger than Supabase accepts or the deployment fails.`,
  notes: "SUPABASE_ACCESS_TOKEN   in place of `npx supabase login`",
}).option("--project <ref>", "the reference of the project (default: SUPABASE_PROJECT_ID, or the linked project)");

async function run({ project }: { project?: string }): Promise<void> {
  // The folder of the bundles is linked to no project, so the CLI cannot find the reference there.
  const ref = project ?? (process.env.SUPABASE_PROJECT_ID || linkedProject());
  await writeDeployedFunctions();
  const { code } = await runAsUser(
    ["functions", "deploy", ...functionNames(), "--use-api", ...(ref ? [`--remote=${ref}`] : []), "--yes"],
    deploymentFolder,
    console.log,
  );
  if (code !== 0)
    throw new Problem(
      "The edge functions were not deployed.",
      "The messages above say why. `npx supabase login` and `npx supabase link` prepare a deployment.",
    );
}

await runCommandLine(command, run);
