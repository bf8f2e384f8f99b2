import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { writeDeployedFunctions } from "../generate/bundles_to_deploy.ts";

const command = describeCommand({
  usage: "npm run functions:build",
  summary: `Writes what \`npm run functions:deploy\` uploads, to dist/functions: one file for each edge function, with everything that it needs
inside. Exit status 1 if a file is larger than Supabase accepts.`,
});

await runCommandLine(command, writeDeployedFunctions);
