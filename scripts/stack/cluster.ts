import { createHash } from "node:crypto";
import { chownSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DatabaseServer, localServer, platformSuperuser, superuserUrl, withConnection } from "./database_server.ts";
import type { StackPlace } from "./paths.ts";
import { host } from "./ports.ts";
import type { PostgresInstall } from "./postgres_install.ts";
import { Problem } from "./problem.ts";
import { lastLines, runCommand } from "./run_command.ts";
import type { Running } from "./running.ts";
import { commandLine, makeServerDirectory, serverUser } from "./server_user.ts";
import { damaged, passwordOf, type State } from "./state.ts";

const settings = {
  listen_addresses: host,
  // Sockets need a short path that a deep checkout does not have; loopback is enough.
  unix_socket_directories: "",
  shared_preload_libraries: "pg_cron,pg_stat_statements",
  "cron.database_name": "postgres",
  // Jobs run inside the server, so they need no line in pg_hba.conf and no password.
  "cron.use_background_workers": "on",
  max_worker_processes: "32",
  max_connections: "200",
  timezone: "UTC",
  log_timezone: "UTC",
};

/** The second choice, for a checkout in a folder that the server's user cannot enter, such as root's home. */
function sharedDataDirectory(place: StackPlace): string {
  const hash = createHash("sha256").update(place.directory).digest("hex").slice(0, 12);
  return join("/var/tmp", `referral-commission-store-${hash}`);
}

/** The version that existing data was made by; undefined when there is none. */
export function dataMajor(state: State | undefined): number | undefined {
  if (!state?.ready || !state.data_directory) return undefined;
  const file = join(state.data_directory, "PG_VERSION");
  return existsSync(file) ? Number(readFileSync(file, "utf8").trim()) : undefined;
}

/** @throws Problem when the data of an earlier run is gone, or was made by another version of Postgres. */
export function requireUsableData(state: State, install: PostgresInstall, place: StackPlace): void {
  const major = dataMajor(state);
  if (major === undefined) {
    throw new Problem(`The database in ${state.data_directory} is gone or damaged.`, damaged(place));
  }
  if (major !== install.major) {
    throw new Problem(
      `The database in ${state.data_directory} was made by Postgres ${major}, but this machine has Postgres ${install.major}.`,
      `Install Postgres ${major} to keep it, or: ${damaged(place)}`,
    );
  }
}

/** Stops a server that still runs on the data although its stack is gone. */
async function stopLeftover(data: string, install: PostgresInstall): Promise<void> {
  if (!existsSync(join(data, "postmaster.pid"))) return;
  // A stale file is no server: then pg_ctl only complains, and Postgres itself clears the file away when it starts.
  await runCommand(...commandLine(join(install.bin, "pg_ctl"), ["stop", "-D", data, "-m", "fast"], "SIGTERM", serverUser()), { cwd: "/" });
}

/** Deletes the data of a stack, in both places where it may be. */
export async function removeData(place: StackPlace, install: PostgresInstall | undefined): Promise<void> {
  for (const data of [place.postgresData, sharedDataDirectory(place)]) {
    // Also false where the folder around it is a file.
    if (!existsSync(data)) continue;
    if (install) await stopLeftover(data, install);
    rmSync(data, { recursive: true, force: true });
  }
}

/**
 * Creates an empty cluster; its only role is the platform's superuser.
 * @returns the folder of its data
 */
export async function createCluster(place: StackPlace, state: State, install: PostgresInstall): Promise<string> {
  const user = serverUser();
  const data = [place.postgresData, sharedDataDirectory(place)].find((directory) => makeServerDirectory(directory, user));
  if (!data) throw new Problem("No folder was found that the server's user can write to.", "Move this checkout to a folder that others may enter, for example below /srv.");

  // initdb takes a password from a file only; it exists for as long as initdb runs.
  const passwordFile = `${data}.password`;
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, `${passwordOf(state, platformSuperuser)}\n`, { mode: 0o600, flag: "wx" });
  if (user.account) chownSync(passwordFile, user.account.uid, user.account.gid);
  const args = ["-D", data, "-U", platformSuperuser, "--auth=scram-sha-256", `--pwfile=${passwordFile}`, "--encoding=UTF8", "--locale=C.UTF-8"];
  const { code, output } = await runCommand(...commandLine(join(install.bin, "initdb"), args, "SIGTERM", user), { cwd: "/" });
  rmSync(passwordFile);
  if (code !== 0) throw new Problem(`initdb failed:\n${lastLines(output)}`, damaged(place));
  return data;
}

/** A cluster that takes connections. */
export interface RunningCluster {
  server: DatabaseServer;
  /** Stops it, starts it again and waits until it takes connections. */
  restart(): Promise<void>;
}

/**
 * What the server itself says in its log, and the processes whose end it names; what it says to its clients is left out. Each
 * line has the number of its process in brackets, but for those from before the log's format is known.
 */
function linesOfPostmaster(log: string, pid: number): string {
  const named = [String(pid), ...[...log.matchAll(/\(PID (\d+)\)/g)].map(([, number]) => number!)];
  const processOf = (line: string) => line.match(/^\S+ \S+ \S+ \[(\d+)\] /)?.[1];
  return log.split("\n").filter((line) => named.includes(processOf(line) ?? String(pid))).join("\n");
}

/** Starts the cluster as a part of what is running. */
export async function startCluster(place: StackPlace, state: State, install: PostgresInstall, port: number, running: Running): Promise<RunningCluster> {
  await stopLeftover(state.data_directory, install);
  const options = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = localServer(port, passwordOf(state, platformSuperuser));
  const part = await running.startPart({
    name: "Postgres",
    command: join(install.bin, "postgres"),
    args: ["-D", state.data_directory, ...options],
    logFile: place.logFile("postgres"),
    answers: () => withConnection(superuserUrl(server, "postgres"), (sql) => sql`select 1`).then(() => true, () => false),
    patienceSeconds: 60,
    // What Postgres calls a fast shutdown: running transactions are rolled back.
    stopSignal: "SIGINT",
    user: serverUser(),
    telling: linesOfPostmaster,
    advice: `Run \`npm start\` again: Postgres recovers by itself what was committed. If the same comes again, mend what the log names; the data are in ${state.data_directory}.`,
  });
  return { server, restart: () => part.restart() };
}
