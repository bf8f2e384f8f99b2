import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { Database } from "../postgres/database.ts";
import { ownerUrl } from "../postgres/database.ts";
import { superuserUrl, withConnection } from "../postgres/database_server.ts";
import { StackPlace } from "../ground/paths.ts";
import { freePort } from "../ground/ports.ts";
import { clientFolder, findInstall } from "../postgres/install.ts";
import { Problem } from "../ground/problem.ts";
import { lastLines, runCommand } from "../ground/run_command.ts";
import { Running } from "../ground/running.ts";
import { commandLine, makeServerDirectory, serverUser } from "../ground/server_user.ts";
import { connectRouter, ensurePlProxy, makeRouter, makeShard } from "../scale/shards.ts";
import { startStandby } from "../scale/standby.ts";

/**
 * Memory and checkpoint settings of a server, so that dirty pages of one side of a comparison do not slow down the
 * other. Commits have a time, because the time from a payment to its settlement is one between commits.
 */
const SETTINGS = {
  shared_buffers: "2GB",
  max_wal_size: "16GB",
  checkpoint_timeout: "1h",
  work_mem: "64MB",
  maintenance_work_mem: "256MB",
  autovacuum: "off",
  track_commit_timestamp: "on",
};

/** The database server of the benchmark. Workloads create their databases on it. */
export class BenchServer {
  private databases = 0;

  private constructor(
    private readonly database: Database,
    private readonly template: string,
    /** The folder of pgbench. */
    readonly bin: string,
  ) {}

  /** @param template a database with all migrations */
  static async configure(database: Database, template: string): Promise<BenchServer> {
    const bin = clientFolder("pgbench");
    if (!bin)
      throw new Problem(
        "pgbench was not found on this machine.",
        "Install the server programs of Postgres, on Debian: apt-get install postgresql",
      );
    await withConnection(superuserUrl(database.server, "postgres"), async (sql) => {
      for (const [name, value] of Object.entries(SETTINGS)) await sql.unsafe(`alter system set ${name} = '${value}'`);
    });
    await database.restart?.();
    return new BenchServer(database, template, bin);
  }

  /**
   * Creates a database owned by role postgres.
   * @param from the database to copy. The default is an empty store
   * @returns its URL
   */
  async createDatabase(from?: string): Promise<string> {
    this.databases += 1;
    const name = `bench_${this.databases}`;
    const template = from ? new URL(from).pathname.slice(1) : this.template;
    await withConnection(superuserUrl(this.database.server, "postgres"), (sql) =>
      sql.unsafe(`create database "${name}" template "${template}" owner postgres`),
    );
    return ownerUrl(this.database, name);
  }

  /** Creates several copies of a database, for the sides of a comparison. */
  async copies(from: string, count: number): Promise<string[]> {
    const urls: string[] = [];
    for (let made = 0; made < count; made += 1) urls.push(await this.createDatabase(from));
    return urls;
  }

  /** Runs `work` with a streaming standby of the server. @param work receives the address of the database on it */
  async withStandby<T>(url: string, work: (readUrl: string) => Promise<T>): Promise<T> {
    const { server, state, major } = this.database;
    const place = new StackPlace(mkdtempSync(join(tmpdir(), "bench-standby-")));
    mkdirSync(place.logs);
    const running = new Running();
    const install = findInstall(major);
    if (!install) throw new Problem("A standby needs an installed Postgres.", "Unset STORE_POSTGRES.");
    try {
      const readUrl = new URL(url);
      readUrl.port = String(await freePort());
      await startStandby(
        { place, install, primary: server, data: `${state.data_directory}.standby`, port: Number(readUrl.port) },
        running,
      );
      return await work(readUrl.href);
    } finally {
      await running.stop();
      rmSync(place.directory, { recursive: true });
    }
  }

  /**
   * Copies the data of the server while `work` runs, for a server of its own.
   * @param work receives the folders of the copy and of the server's programs
   */
  async withCopy<T>(work: (data: string, bin: string) => Promise<T>): Promise<T> {
    const { server, state, major } = this.database;
    const install = findInstall(major);
    if (!install) throw new Problem("A copy of the data needs an installed Postgres.", "Unset STORE_POSTGRES.");
    const data = `${state.data_directory}.copy`;
    const user = serverUser();
    makeServerDirectory(data, user);
    try {
      const args = ["-D", data, "-X", "stream", "-c", "fast", "-d", superuserUrl(server, "postgres")];
      const { code, output } = await runCommand(
        ...commandLine(join(install.bin, "pg_basebackup"), args, "SIGTERM", user),
        { cwd: "/" },
      );
      if (code !== 0) throw new Error(`pg_basebackup failed:\n${lastLines(output)}`);
      return await work(data, install.bin);
    } finally {
      rmSync(data, { recursive: true });
    }
  }

  /**
   * Makes an empty store the router of two shards, of which the first is a given store.
   * @returns the address of the router
   */
  async createRouter(shard: string): Promise<string> {
    await ensurePlProxy(() => undefined);
    const [router, other] = [await this.createDatabase(), await this.createDatabase()];
    const shards = [shard, other].map((url) => ({ ...this.database, name: new URL(url).pathname.slice(1) }));
    const superuser = (name: string) => superuserUrl(this.database.server, name);
    for (const [number, { name }] of shards.entries()) await makeShard(superuser(name), number, shards.length);
    const home = superuser(new URL(router).pathname.slice(1));
    await makeRouter(home, shards.length);
    await connectRouter(home, shards);
    // The members of the first shard have accounts at home.
    const accounts = await withConnection(
      superuser(shards[0]!.name),
      (sql) => sql<{ id: string }[]>`select auth_id as id from app.users where auth_id is not null`,
    );
    await withConnection(home, async (sql) => {
      await sql`set session_replication_role = replica`;
      for (const { id } of accounts) {
        await sql`insert into auth.users (email_confirmed_at, id) values (now(), ${id})`;
        await sql`insert into router.homes (auth_id, shard) values (${id}, 0)`;
      }
    });
    return router;
  }

  async dropDatabases(urls: string[]): Promise<void> {
    await withConnection(superuserUrl(this.database.server, "postgres"), async (sql) => {
      for (const url of urls)
        await sql.unsafe(`drop database if exists "${new URL(url).pathname.slice(1)}" with (force)`);
    });
  }

  /** Copies the rows of a table to another database through a file on the server. */
  async copyTable(table: string, from: string, to: string): Promise<void> {
    const file = await withConnection(
      superuserUrl(this.database.server, "postgres"),
      (sql) => sql<{ file: string }[]>`select current_setting('data_directory') || '/bench.copy' as file`,
    );
    const at = (url: string) => superuserUrl(this.database.server, new URL(url).pathname.slice(1));
    await withConnection(at(from), (sql) => sql.unsafe(`copy ${table} to '${file[0]?.file}' (format binary)`));
    await withConnection(at(to), (sql) => sql.unsafe(`copy ${table} from '${file[0]?.file}' (format binary)`));
  }

  /**
   * Runs statements as superuser without foreign keys and triggers, for many rows that are consistent by construction.
   */
  async fill(url: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
    await withConnection(superuserUrl(this.database.server, new URL(url).pathname.slice(1)), async (sql) => {
      await sql`set session_replication_role = replica`;
      await work(sql);
    });
  }

  /** The bytes of the log that were written since a position: records, and images of pages. */
  async logSince(url: string, position: string): Promise<{ records: number; images: number }> {
    return withConnection(superuserUrl(this.database.server, new URL(url).pathname.slice(1)), async (sql) => {
      const [end] = await sql<
        { at: string; is_later: boolean }[]
      >`select l.at, l.at > ${position}::pg_lsn as is_later from pg_current_wal_flush_lsn() as l (at)`;
      if (!end!.is_later) return { records: 0, images: 0 };
      await sql`create extension if not exists pg_walinspect`;
      const [row] = await sql<{ records: string; images: string }[]>`
        select sum(w.record_size) as records, sum(w.fpi_size) as images from pg_get_wal_stats(${position}::pg_lsn, ${end!.at}::pg_lsn) as w`;
      return { records: Number(row!.records), images: Number(row!.images) };
    });
  }

  /** Updates the statistics of the planner. */
  async analyze(urls: string[]): Promise<void> {
    for (const url of new Set(urls)) await withConnection(url, (sql) => sql`analyze`);
  }

  /** Runs a checkpoint, so that dirty pages of earlier work do not slow down a measurement. */
  async settle(): Promise<void> {
    await withConnection(superuserUrl(this.database.server, "postgres"), (sql) => sql`checkpoint`);
  }
}

/** Opens one connection that returns bigint and numeric as numbers. */
export function connectTo(url: string): postgres.Sql {
  return postgres(url, { max: 1, onnotice: () => undefined, idle_timeout: 0, max_lifetime: null });
}
