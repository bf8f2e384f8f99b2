import postgres from "postgres";
import type { Database } from "../../scripts/stack/database.ts";
import { ownerUrl } from "../../scripts/stack/database.ts";
import { superuserUrl, withConnection } from "../../scripts/stack/database_server.ts";

/** Memory and checkpoints as on a server, so that neither side of a comparison pays for the other's dirty pages. */
const SETTINGS = { shared_buffers: "2GB", max_wal_size: "16GB", checkpoint_timeout: "1h", work_mem: "64MB", maintenance_work_mem: "256MB", autovacuum: "off" };

/** The server that everything is measured on, and the databases that workloads make on it. */
export class BenchServer {
  private databases = 0;

  private constructor(
    private readonly database: Database,
    private readonly template: string,
  ) {}

  /** @param template a database with all migrations */
  static async configure(database: Database, template: string): Promise<BenchServer> {
    await withConnection(superuserUrl(database.server, "postgres"), async (sql) => {
      for (const [name, value] of Object.entries(SETTINGS)) await sql.unsafe(`alter system set ${name} = '${value}'`);
    });
    await database.restart?.();
    return new BenchServer(database, template);
  }

  /** Where pgbench is. */
  get bin(): string {
    return this.database.client.bin;
  }

  /**
   * Makes a database by role postgres.
   * @param from what to copy; unless given, an empty store
   * @returns its address
   */
  async createDatabase(from?: string): Promise<string> {
    this.databases += 1;
    const name = `bench_${this.databases}`;
    const template = from ? new URL(from).pathname.slice(1) : this.template;
    await withConnection(superuserUrl(this.database.server, "postgres"), (sql) => sql.unsafe(`create database "${name}" template "${template}" owner postgres`));
    return ownerUrl(this.database, name);
  }

  /** Several copies of a database, for the sides of a comparison. */
  async copies(from: string, count: number): Promise<string[]> {
    const urls: string[] = [];
    for (let made = 0; made < count; made += 1) urls.push(await this.createDatabase(from));
    return urls;
  }

  async dropDatabases(urls: string[]): Promise<void> {
    await withConnection(superuserUrl(this.database.server, "postgres"), async (sql) => {
      for (const url of urls) await sql.unsafe(`drop database if exists "${new URL(url).pathname.slice(1)}" with (force)`);
    });
  }

  /** Copies the rows of a table to another database by way of a file of the server's own. */
  async copyTable(table: string, from: string, to: string): Promise<void> {
    const file = await withConnection(superuserUrl(this.database.server, "postgres"), (sql) => sql<{ file: string }[]>`select current_setting('data_directory') || '/bench.copy' as file`);
    const at = (url: string) => superuserUrl(this.database.server, new URL(url).pathname.slice(1));
    await withConnection(at(from), (sql) => sql.unsafe(`copy ${table} to '${file[0]?.file}' (format binary)`));
    await withConnection(at(to), (sql) => sql.unsafe(`copy ${table} from '${file[0]?.file}' (format binary)`));
  }

  /** Brings the planner's statistics up to date. */
  async analyze(urls: string[]): Promise<void> {
    for (const url of new Set(urls)) await withConnection(url, (sql) => sql`analyze`);
  }

  /** Writes out what earlier work left, so that a measurement does not pay for it. */
  async settle(): Promise<void> {
    await withConnection(superuserUrl(this.database.server, "postgres"), (sql) => sql`checkpoint`);
  }
}

/** Opens one connection that answers numbers as numbers where they fit. */
export function connectTo(url: string): postgres.Sql {
  return postgres(url, { max: 1, onnotice: () => undefined, idle_timeout: 0 });
}
