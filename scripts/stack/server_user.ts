import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, rmdirSync } from "node:fs";
import { Problem } from "./problem.ts";

/** The operating system user that Postgres runs as: ourselves, or `postgres` when we are root, which Postgres refuses. */
export interface ServerUser {
  /** undefined: the user we are. */
  account?: { name: string; uid: number; gid: number };
}

const isLinux = process.platform === "linux";

/** @throws Problem when we are root and there is no user `postgres` to run the server as. */
export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const name = "postgres";
  const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }));
  if (!isLinux || uid?.status !== 0 || gid?.status !== 0) {
    throw new Problem(
      "Postgres refuses to run as root, and this machine has no user `postgres` to run it as.",
      "Run the command as an ordinary user, or create one: useradd --system postgres",
    );
  }
  return { account: { name, uid: Number(uid.stdout), gid: Number(gid.stdout) } };
}

/**
 * A command line that runs `command` as the server's user. On Linux the process also gets `deathSignal` when we die
 * without stopping it, so that a killed stack leaves nothing running.
 */
export function commandLine(command: string, args: string[], deathSignal: NodeJS.Signals, user: ServerUser = {}): [string, string[]] {
  if (!isLinux) return [command, args];
  const { account } = user;
  const become = account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, "--init-groups"] : [];
  return ["setpriv", [...become, `--pdeathsig=${deathSignal.replace("SIG", "")}`, "--", command, ...args]];
}

/** Creates a folder for the server's user. @returns false when that user cannot get at it, for example below /root. */
export function makeServerDirectory(directory: string, user: ServerUser): boolean {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!user.account) return true;
  chownSync(directory, user.account.uid, user.account.gid);
  const [command, args] = commandLine("test", ["-w", directory], "SIGTERM", user);
  const usable = spawnSync(command, args, { cwd: "/" }).status === 0;
  if (!usable) rmdirSync(directory);
  return usable;
}
