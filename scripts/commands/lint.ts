import { linters, typeChecks } from "../checks/checks.ts";
import { reportChecks, startChecks } from "../checks/run_checks.ts";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";

const command = describeCommand({
  usage: "npm run lint",
  summary:
    "Checks all types and runs all linters, as `npm test` does. It needs no database and no network. Exit status 1 if one of them reports an error.",
});

async function lint(): Promise<number> {
  const { failed } = await reportChecks(startChecks([...typeChecks(), ...linters()]));
  return failed === 0 ? 0 : 1;
}

await runCommandLine(command, lint);
