import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { writeDeployedFunctions } from "../generate/deployed_functions.ts";

const command = describeCommand({
  usage: "npm run functions:build",
  summary: `Writes what \`supabase functions deploy\` uploads: one file for each edge function, in supabase/functions, with everything that the
function needs inside. Exit status 1 if a file is larger than Supabase accepts. \`npm run functions:deploy\` does it, too.`,
});

await runCommandLine(command, writeDeployedFunctions);
