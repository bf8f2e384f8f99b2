import { existsSync, readFileSync } from "node:fs";
import { Problem } from "./problem.ts";
import type { ShowDetail } from "./progress.ts";
import { lastLines, runCommand } from "./run_command.ts";

function isDebianLike(): boolean {
  if (!existsSync("/etc/os-release")) return false;
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync("/etc/os-release", "utf8"));
}

/** Whether packages can be installed without confirmation: as root on Debian or Ubuntu. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && isDebianLike();
}

/** Runs apt-get non-interactively. @returns its output @throws Problem if it fails */
export async function apt(args: string[], show: ShowDetail): Promise<string> {
  const { code, output } = await runCommand("apt-get", ["-y", ...args], {
    env: { DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
    onLine: show,
  });
  if (code !== 0) throw aptProblem(`apt-get ${args[0]} failed:\n${lastLines(output)}`);
  return output;
}

/** A failure of apt, which is mostly caused by a missing network. */
export function aptProblem(message: string): Problem {
  return new Problem(
    message,
    "If there is no network, connect this machine to a Debian mirror or install the packages by hand. Then run the command again.",
  );
}
