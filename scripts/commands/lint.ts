import { execa } from "execa";
import { linters } from "../checks/checks.ts";
import { runChecks } from "../checks/run_checks.ts";
import { checkEnvironment } from "../checks/environment.ts";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { projectRoot } from "../stack/paths.ts";

const command = describeCommand({
  usage: "npm run lint",
  summary: "Runs all linters: the same that `npm test` runs. Needs no database and no network. Exit status 1 if one finds something.",
});

async function lint(): Promise<number> {
  const { failed } = await runChecks(linters(), async ({ command, args }) => {
    const { exitCode } = await execa(command, args, { cwd: projectRoot, env: checkEnvironment, stdin: "ignore", stdout: "inherit", stderr: "inherit", reject: false });
    return exitCode ?? 1;
  });
  return failed === 0 ? 0 : 1;
}

await runCommandLine(command, lint);
