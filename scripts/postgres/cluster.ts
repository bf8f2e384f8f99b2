import { createHash } from "node:crypto";
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type DatabaseServer,
  localServer,
  platformSuperuser,
  superuserUrl,
  withConnection,
} from "./database_server.ts";
import type { Part } from "../ground/part.ts";
import type { StackPlace } from "../ground/paths.ts";
import { host } from "../ground/ports.ts";
import type { DataOrigin } from "./choice.ts";
import type { PostgresInstall } from "./install.ts";
import { Problem } from "../ground/problem.ts";
import { endOrphans, mayRun } from "./orphans.ts";
import { lastLines, runCommand } from "../ground/run_command.ts";
import type { Running } from "../ground/running.ts";
import { canExecute, commandLine, makeServerDirectory, serverUser } from "../ground/server_user.ts";
import { type PostgresKind, passwordOf, resetAdvice, type State } from "../ground/state.ts";

/**
 * Only `npm test` sets it: the servers of its run do not wait for the disk, and start no parallel workers. Killing a
 * process loses nothing; only a crash of the machine could.
 */
export const withoutSyncVariable = "STORE_TEST_WITHOUT_SYNC";

export const withoutSync = () => process.env[withoutSyncVariable] === "1";

const settings = {
  listen_addresses: host,
  // The path of a socket must be short, which it is not in a deeply nested checkout. TCP on loopback is sufficient.
  unix_socket_directories: "",
  max_worker_processes: "32",
  max_connections: "200",
  // The Postgres of Supabase is built without JIT compilation (docs/decisions/0056).
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
};

const settingsOf: Record<PostgresKind, Record<string, string>> = {
  installed: {
    shared_preload_libraries: "pg_cron,pg_stat_statements",
    "cron.database_name": "postgres",
    // Background workers run jobs inside the server, so they need no entry in pg_hba.conf and no password.
    "cron.use_background_workers": "on",
  },
  embedded: { shared_preload_libraries: "pg_stat_statements" },
};

/** In the small stores of tests, to start a parallel worker costs more than all that it reads. */
const withoutWorkers: Record<PostgresKind, Record<string, string>> = {
  installed: { max_parallel_workers_per_gather: "0" },
  // What a complete run repeats there meets parallel plans.
  embedded: {},
};

/** The settings of a server of this kind, apart from its port. */
export const settingsFor = (kind: PostgresKind): Record<string, string> => ({
  ...settings,
  ...settingsOf[kind],
  ...(withoutSync() && { fsync: "off", ...withoutWorkers[kind] }),
});

/**
 * The locale of the embedded Postgres is built in, because not every system has a locale C.UTF-8. Both sort by code
 * point.
 */
const localeOf: Record<PostgresKind, string[]> = {
  installed: ["--locale=C.UTF-8"],
  embedded: ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
};

const nameOf: Record<PostgresKind, string> = { installed: "installed Postgres", embedded: "embedded Postgres" };

/** A fallback for a checkout in a folder that the server's user cannot enter, such as root's home. */
function fallbackDataDirectory(place: StackPlace): string {
  const hash = createHash("sha256").update(place.directory).digest("hex").slice(0, 12);
  return join("/var/tmp", `referral-commission-store-${hash}`);
}

/** The server that created the existing data; undefined if there are none. */
export function dataOrigin(state: State | undefined): DataOrigin | undefined {
  if (!state?.ready || !state.data_directory) return undefined;
  const file = join(state.data_directory, "PG_VERSION");
  return existsSync(file) ? { kind: state.postgres, major: Number(readFileSync(file, "utf8").trim()) } : undefined;
}

/**
 * @throws Problem if the data of an earlier run are missing, or were created by another server: of another major
 * version, or of the other kind
 */
export function requireUsableData(state: State, install: PostgresInstall, place: StackPlace): void {
  const origin = dataOrigin(state);
  if (origin === undefined) {
    throw new Problem(`The database in ${state.data_directory} is missing or damaged.`, resetAdvice(place));
  }
  if (origin.major !== install.major || origin.kind !== install.kind) {
    throw new Problem(
      `The database in ${state.data_directory} was created by Postgres ${origin.major} (${nameOf[origin.kind]}), but this run uses Postgres ${install.major} (${nameOf[install.kind]}).`,
      `To keep the data, use the ${nameOf[origin.kind]} ${origin.major}${process.env.STORE_POSTGRES ? ": unset STORE_POSTGRES" : ""}. ${resetAdvice(place)}`,
    );
  }
}

/** Where the server is copied to if the server's user cannot run it in this checkout, for example below root's home. */
const serverCopy = (place: StackPlace) => `${fallbackDataDirectory(place)}-server`;

/** A server that the server's user can run: the given one, or a copy of it. */
export function reachableInstall(place: StackPlace, install: PostgresInstall): PostgresInstall {
  if (canExecute(join(install.bin, "postgres"), serverUser())) return install;
  const copy = serverCopy(place);
  rmSync(copy, { recursive: true, force: true });
  // Fails if the folder exists, so that nobody else can own it.
  mkdirSync(copy, { mode: 0o755 });
  cpSync(dirname(install.bin), copy, { recursive: true, verbatimSymlinks: true });
  return { ...install, bin: join(copy, "bin") };
}

/**
 * How long a leftover server may take to shut down: in crash recovery, or after one of its processes was killed, it may
 * never end.
 */
const leftoverSeconds = "10";

/**
 * Stops a server that is still running on the data of a stack that has ended. An immediate shutdown loses nothing
 * either: the next start recovers what was committed.
 */
export async function stopLeftover(place: StackPlace, data: string, install: PostgresInstall): Promise<void> {
  if (!mayRun(data)) return;
  const { bin } = reachableInstall(place, install);
  for (const mode of ["fast", "immediate"]) {
    const args = ["stop", "-D", data, "-m", mode, "-t", leftoverSeconds];
    const { code } = await runCommand(...commandLine(join(bin, "pg_ctl"), args, "SIGTERM", serverUser()), { cwd: "/" });
    if (code === 0 || !mayRun(data)) return;
  }
  endOrphans(data);
}

/** Deletes the data of a stack, in both possible folders. */
export async function removeData(place: StackPlace, install: PostgresInstall | undefined): Promise<void> {
  for (const data of [place.postgresData, fallbackDataDirectory(place)]) {
    // Also false if the parent folder is a file.
    if (!existsSync(data)) continue;
    if (install) await stopLeftover(place, data, install);
    rmSync(data, { recursive: true, force: true });
  }
  rmSync(serverCopy(place), { recursive: true, force: true });
}

/** Creates the data folder of a cluster, where the server's user can write. @returns its path */
export function createDataDirectory(place: StackPlace): string {
  const user = serverUser();
  const data = [place.postgresData, fallbackDataDirectory(place)].find((directory) =>
    makeServerDirectory(directory, user),
  );
  if (!data)
    throw new Problem(
      "The server's user cannot write to any of the possible data folders.",
      "Move this checkout to a folder that other users may enter, for example below /srv.",
    );
  return data;
}

/**
 * Creates an empty cluster, with the platform's superuser as its only role.
 * @returns the data folder
 */
export async function createCluster(place: StackPlace, state: State, install: PostgresInstall): Promise<string> {
  const user = serverUser();
  const { bin } = reachableInstall(place, install);
  const data = createDataDirectory(place);
  // initdb reads the password from a file, which exists only while initdb runs.
  const passwordFile = `${data}.password`;
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, `${passwordOf(state, platformSuperuser)}\n`, { mode: 0o600, flag: "wx" });
  if (user.account) chownSync(passwordFile, user.account.uid, user.account.gid);
  const args = [
    "-D",
    data,
    "-U",
    platformSuperuser,
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    ...localeOf[install.kind],
    ...(withoutSync() ? ["--no-sync"] : []),
  ];
  const { code, output } = await runCommand(...commandLine(join(bin, "initdb"), args, "SIGTERM", user), { cwd: "/" });
  rmSync(passwordFile);
  if (code !== 0) throw new Problem(`initdb failed:\n${lastLines(output)}`, resetAdvice(place));
  return data;
}

/** A cluster that accepts connections. */
export interface RunningCluster {
  server: DatabaseServer;
  /** Restarts the cluster and waits until it accepts connections. */
  restart(): Promise<void>;
  /** The process of the server. */
  part: Part;
}

/**
 * The log lines of the server itself and of the processes whose termination it reports, without messages for clients.
 * Each line has the process id in brackets, except for lines from before the log format is configured.
 */
function linesOfPostmaster(log: string, pid: number): string {
  const pids = [String(pid), ...[...log.matchAll(/\(PID (\d+)\)/g)].map(([, number]) => number!)];
  const processOf = (line: string) => line.match(/^\S+ \S+ \S+ \[(\d+)\] /)?.[1];
  return log
    .split("\n")
    .filter((line) => pids.includes(processOf(line) ?? String(pid)))
    .join("\n");
}

/** The arguments of `postgres` for a data folder. A standby needs the same settings as its primary. */
export function serverArguments(data: string, { kind }: PostgresInstall, port: number): string[] {
  const options = Object.entries({ ...settingsFor(kind), port: String(port) }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  return ["-D", data, ...options];
}

/** Starts the cluster as a part of the running stack. */
export async function startCluster(
  place: StackPlace,
  state: State,
  install: PostgresInstall,
  port: number,
  running: Running,
): Promise<RunningCluster> {
  await stopLeftover(place, state.data_directory, install);
  const { bin } = reachableInstall(place, install);
  const server = localServer(port, passwordOf(state, platformSuperuser));
  const part = await running.startPart({
    name: "Postgres",
    command: join(bin, "postgres"),
    args: serverArguments(state.data_directory, install, port),
    beforeStart: () => endOrphans(state.data_directory),
    logFile: place.logFile("postgres"),
    isReady: () =>
      withConnection(superuserUrl(server, "postgres"), (sql) => sql`select 1`).then(
        () => true,
        () => false,
      ),
    // A fast shutdown: Postgres rolls back running transactions.
    stopSignal: "SIGINT",
    user: serverUser(),
    relevantLines: linesOfPostmaster,
    advice: `Run \`npm start\` again: Postgres recovers all committed data. If the error persists, fix the cause that the log shows. The data are in ${state.data_directory}.`,
  });
  return { server, restart: () => part.restart(), part };
}
