import { projectRoot } from "./paths.ts";
import { type CommandResult, runCommand } from "./run_command.ts";

/**
 * Runs git in a checkout of this project. git refuses one that belongs to another user, as that of CI does inside a
 * container. Whoever runs the code of a checkout trusts it already, so this one is excepted, and no other folder.
 * @param folder where the checkout is
 */
export function git(args: string[], folder = projectRoot): Promise<CommandResult> {
  return runCommand("git", ["-c", `safe.directory=${folder}`, ...args], { cwd: folder });
}
