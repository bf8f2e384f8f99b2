import { readdirSync, readlinkSync, realpathSync } from "node:fs";
import { basename } from "node:path";

/** The target of a link of a process; empty if the process has ended, or belongs to somebody else. */
function link(pid: number, name: "cwd" | "exe"): string {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch {
    return "";
  }
}

/**
 * Ends the processes of a server whose main process was killed, on Linux. Those that wait notice it and end by themselves, but one that
 * computes goes on until its statement ends, and until then no server can start on the data. Only for a server that does not run.
 */
export function endOrphans(data: string): void {
  if (process.platform !== "linux") return;
  const directory = realpathSync(data);
  for (const pid of readdirSync("/proc").map(Number))
    if (pid > 0 && link(pid, "cwd") === directory && basename(link(pid, "exe")) === "postgres") process.kill(pid, "SIGKILL");
}
