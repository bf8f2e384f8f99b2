import { chownSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseUrl, type DatabaseServer, withConnection } from "../postgres/database_server.ts";
import { apt, canInstallPackages } from "../ground/debian_packages.ts";
import type { Part } from "../ground/part.ts";
import { pathFolders } from "../ground/path_folders.ts";
import { freePort, host } from "../ground/ports.ts";
import { Problem } from "../ground/problem.ts";
import type { ShowDetail } from "../ground/progress.ts";
import type { Running } from "../ground/running.ts";
import { serverUser } from "../ground/server_user.ts";

const places = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"];

/** Finds PgBouncer. @returns its path; undefined if it is not installed */
export function findPooler(): string | undefined {
  return [...places, ...pathFolders().map((folder) => join(folder, "pgbouncer"))].find((path) => existsSync(path));
}

/**
 * Finds PgBouncer, or installs it as root on Debian or Ubuntu.
 * @returns its path
 * @throws Problem that says what to install
 */
export async function ensurePooler(show: ShowDetail): Promise<string> {
  if (!findPooler() && canInstallPackages()) {
    await apt(["update"], show);
    await withoutService(() => apt(["install", "--no-install-recommends", "pgbouncer"], show));
  }
  const found = findPooler();
  if (!found)
    throw new Problem(
      "PgBouncer is not installed.",
      "Install it (on Debian or Ubuntu: apt-get install pgbouncer), then run the command again.",
    );
  return found;
}

/** Prevents Debian's package from starting PgBouncer as a service of the machine. */
async function withoutService<T>(work: () => Promise<T>): Promise<T> {
  const policy = "/usr/sbin/policy-rc.d";
  if (existsSync(policy)) return work();
  writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    return await work();
  } finally {
    rmSync(policy);
  }
}

/**
 * How PgBouncer serves the functions. Its limits are shorter than the deadline of a request (20 s), so that the request
 * learns the reason.
 */
const settings = {
  pool_mode: "transaction",
  auth_type: "scram-sha-256",
  listen_addr: host,
  unix_socket_dir: "",
  // Below the connection limit of role store_api (50).
  default_pool_size: "20",
  max_client_conn: "1000",
  query_wait_timeout: "15",
  server_login_retry: "1",
  server_idle_timeout: "30",
};

export interface PoolerOptions {
  /** The program. */
  program: string;
  server: Pick<DatabaseServer, "host" | "port">;
  /** The roles that may connect, with their passwords. The first one is used to see whether the pooler is ready. */
  passwords: Record<string, string>;
  /** The database of that role. */
  database: string;
  /** The beginning of the names of the configuration files, in a folder that the server's user can enter. */
  files: string;
  logFile: string;
}

/** Starts PgBouncer in transaction mode in front of all databases of a server. */
export async function startPooler(
  { program, server, passwords, database, files, logFile }: PoolerOptions,
  running: Running,
): Promise<{ port: number; part: Part }> {
  const port = await freePort();
  const user = serverUser();
  const [configuration, users] = [`${files}.pgbouncer.ini`, `${files}.pgbouncer.users`];
  const writeFile = (path: string, lines: string[]) => {
    rmSync(path, { force: true });
    // Fails if the file exists, so that nobody else can own it.
    writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600, flag: "wx" });
    if (user.account) chownSync(path, user.account.uid, user.account.gid);
  };
  running.addStop(async () => [configuration, users].forEach((path) => rmSync(path, { force: true })));
  writeFile(
    users,
    Object.entries(passwords).map(([role, password]) => `"${role}" "${password}"`),
  );
  writeFile(configuration, [
    "[databases]",
    `* = host=${server.host} port=${server.port}`,
    "[pgbouncer]",
    ...Object.entries({ ...settings, listen_port: String(port), auth_file: users }).map(
      ([name, value]) => `${name} = ${value}`,
    ),
  ]);
  const [role, password] = Object.entries(passwords)[0]!;
  const url = databaseUrl({ host, port, superuser: "", superuserPassword: "" }, role, password, database);
  const part = await running.startPart({
    name: "PgBouncer",
    command: program,
    args: [configuration],
    logFile,
    isReady: () =>
      withConnection(url, (sql) => sql`select 1`).then(
        () => true,
        () => false,
      ),
    user,
  });
  return { port, part };
}
