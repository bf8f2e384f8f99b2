import { join } from "node:path";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { type CommandResult, runCommand } from "../../scripts/ground/run_command.ts";

/** Runs a command like npm, in an environment that does not say that this is a test. */
export function run(command: string, args: string[], environment: Record<string, string> = {}): Promise<CommandResult> {
  return runCommand(process.execPath, [join(projectRoot, "scripts/bootstrap.mjs"), `commands/${command}.ts`, ...args], {
    env: { NO_COLOR: "1", STORE_TEST_CONTEXT: undefined, ...environment },
  });
}
