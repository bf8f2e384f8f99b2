import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";

const isLinux = process.platform === "linux";

/**
 * Whether a process is one of the Postgres server of a data folder. After an update of Postgres, its program is a
 * deleted file.
 */
function isOfServer(directory: string, pid: number): boolean {
  try {
    return (
      readlinkSync(`/proc/${pid}/cwd`) === directory &&
      /^postgres( \(deleted\))?$/.test(basename(readlinkSync(`/proc/${pid}/exe`)))
    );
  } catch {
    // It has ended meanwhile, or belongs to somebody else.
    return false;
  }
}

/**
 * Whether a server that its data folder names may still run. On Linux, another process that has got its number since
 * then is told apart, so that nobody stops that one instead.
 */
export function mayRun(data: string): boolean {
  try {
    const pid = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
    return !isLinux || isOfServer(realpathSync(data), pid);
  } catch {
    return false;
  }
}

/**
 * Ends the processes of a server whose main process was killed, on Linux. Those that wait notice it and end by
 * themselves, but one that computes goes on until its statement ends, and until then no server can start on the data.
 * Only for a server that does not run, or does not stop.
 */
export function endOrphans(data: string): void {
  if (!isLinux) return;
  const directory = realpathSync(data);
  for (const pid of readdirSync("/proc").map(Number)) {
    try {
      if (pid > 0 && isOfServer(directory, pid)) process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}
