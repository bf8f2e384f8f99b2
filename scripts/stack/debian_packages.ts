import { existsSync, readFileSync } from "node:fs";
import { Problem } from "./problem.ts";
import type { ShowDetail } from "./progress.ts";
import { lastLines, runCommand } from "./run_command.ts";

function isDebianLike(): boolean {
  if (!existsSync("/etc/os-release")) return false;
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync("/etc/os-release", "utf8"));
}

/** Whether packages may be installed without asking anybody: as root on Debian or Ubuntu. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && isDebianLike();
}

/** Runs apt-get with nobody to answer its questions. @returns what it printed @throws Problem when it fails */
export async function apt(args: string[], show: ShowDetail): Promise<string> {
  const { code, output } = await runCommand("apt-get", ["-y", ...args], {
    env: { DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
    onLine: show,
  });
  if (code !== 0) throw aptProblem(`apt-get ${args[0]} failed:\n${lastLines(output)}`);
  return output;
}

/** apt did not do what it should, mostly because there is no network. */
export function aptProblem(message: string): Problem {
  return new Problem(message, "Without network: connect this machine to a Debian mirror, or install the packages by hand, and run the command again.");
}
