import { join } from "node:path";
import { projectRoot } from "../../scripts/stack/paths.ts";
import { type CommandResult, runCommand } from "../../scripts/stack/run_command.ts";

/** Runs a command like npm. */
export function run(command: string, args: string[], environment: Record<string, string> = {}): Promise<CommandResult> {
  return runCommand(process.execPath, [join(projectRoot, "scripts/bootstrap.mjs"), `commands/${command}.ts`, ...args], {
    env: { NO_COLOR: "1", ...environment },
  });
}
