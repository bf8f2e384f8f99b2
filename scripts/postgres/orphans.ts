import { readdirSync, readlinkSync, realpathSync } from "node:fs";
import { basename } from "node:path";

/** Ends a process if it is one of the Postgres server of a data folder. */
function endProcessOf(directory: string, pid: number): void {
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) === directory && basename(readlinkSync(`/proc/${pid}/exe`)) === "postgres")
      process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile, or belongs to somebody else.
  }
}

/**
 * Ends the processes of a server whose main process was killed, on Linux. Those that wait notice it and end by themselves, but one that
 * computes goes on until its statement ends, and until then no server can start on the data. Only for a server that does not run.
 */
export function endOrphans(data: string): void {
  if (process.platform !== "linux") return;
  const directory = realpathSync(data);
  for (const pid of readdirSync("/proc").map(Number)) if (pid > 0) endProcessOf(directory, pid);
}
