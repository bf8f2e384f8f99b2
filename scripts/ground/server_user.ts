import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, rmdirSync } from "node:fs";
import { Problem } from "./problem.ts";

/**
 * The operating system user that runs Postgres: the current user, or `postgres` if the current user is root, which
 * Postgres rejects.
 */
export interface ServerUser {
  /** Undefined for the current user. */
  account?: { name: string; uid: number; gid: number };
}

const isLinux = process.platform === "linux";

/** @throws Problem if the current user is root and there is no user `postgres` */
export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const name = "postgres";
  const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }));
  if (!isLinux || uid?.status !== 0 || gid?.status !== 0) {
    throw new Problem(
      "Postgres cannot run as root, and this machine has no user `postgres`.",
      "Run the command as an ordinary user, or create one: useradd --system postgres",
    );
  }
  return { account: { name, uid: Number(uid.stdout), gid: Number(gid.stdout) } };
}

/**
 * Returns a command line that runs `command` as the server's user. On Linux, the process also receives `deathSignal`
 * when this process dies, so that a killed stack leaves no processes behind.
 */
export function commandLine(
  command: string,
  args: string[],
  deathSignal: NodeJS.Signals,
  user: ServerUser = {},
): [string, string[]] {
  if (!isLinux) return [command, args];
  const { account } = user;
  const become = account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, "--init-groups"] : [];
  return ["setpriv", [...become, `--pdeathsig=${deathSignal.replace("SIG", "")}`, "--", command, ...args]];
}

/** Whether the server's user can run a program. Another user may be unable to enter its folder. */
export function canExecute(program: string, user: ServerUser): boolean {
  if (!user.account) return true;
  const [command, args] = commandLine("test", ["-x", program], "SIGTERM", user);
  return spawnSync(command, args, { cwd: "/" }).status === 0;
}

/** Creates a folder for the server's user. @returns false if that user cannot access it, for example below /root */
export function makeServerDirectory(directory: string, user: ServerUser): boolean {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!user.account) return true;
  chownSync(directory, user.account.uid, user.account.gid);
  const [command, args] = commandLine("test", ["-w", directory], "SIGTERM", user);
  const usable = spawnSync(command, args, { cwd: "/" }).status === 0;
  if (!usable) rmdirSync(directory);
  return usable;
}
