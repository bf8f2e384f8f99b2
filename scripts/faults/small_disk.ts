import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEGABYTES = 128;

/** A small file system of its own for the write-ahead log, which can be filled. */
export interface SmallDisk {
  fill(): void;
  free(): void;
  remove(): void;
}

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

/**
 * Moves the write-ahead log of a stopped server to a small file system.
 * @returns undefined if this process may not mount one
 */
export function moveLogToSmallDisk(dataDirectory: string): SmallDisk | undefined {
  const mount = mkdtempSync(join(tmpdir(), "store-wal-"));
  chmodSync(mount, 0o755);
  if (
    process.platform !== "linux" ||
    !run("mount", "-t", "tmpfs", "-o", `size=${MEGABYTES}m,mode=755`, "store-wal", mount)
  ) {
    rmSync(mount, { recursive: true });
    return undefined;
  }
  const [log, target, ballast] = [join(dataDirectory, "pg_wal"), join(mount, "pg_wal"), join(mount, "ballast")];
  // With its owner and mode, unlike cpSync.
  if (!run("cp", "-a", log, target)) throw new Error(`The write-ahead log in ${log} could not be copied.`);
  rmSync(log, { recursive: true });
  symlinkSync(target, log);
  return {
    fill: () => {
      // The file ends where the file system is full.
      run("dd", "if=/dev/zero", `of=${ballast}`, "bs=1M", `count=${MEGABYTES}`);
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      run("umount", "-l", mount);
      rmSync(mount, { recursive: true, force: true });
    },
  };
}
