import type postgres from "postgres";
import { prepareDatabase } from "../histories/database_store.ts";
import { connect } from "../testing/clone_database.ts";
import { type Database, ownerUrl } from "../postgres/database.ts";
import { superuserUrl, withConnection } from "../postgres/database_server.ts";
import { dropDatabases, type TemplateDatabases } from "../postgres/template_databases.ts";
import type { SqlFunction } from "./engine.ts";

/** How long a statement of a history may take at least, in milliseconds. */
const shortestLimit = 30_000;

/** The databases on which mutants are tried. Each mutant is undone before the next one. */
export class Laboratory {
  private mutated: SqlFunction | undefined;
  /** What plpgsql_check says of functions without a mutant. */
  private readonly ownErrors = new Map<string, string | undefined>();
  private limit = shortestLimit;

  private constructor(
    private readonly database: Database,
    private readonly templates: TemplateDatabases,
    private readonly name: string,
    /** For pgTAP, and for histories, which need products and functions of their own. */
    readonly tests: postgres.Sql,
    readonly histories: postgres.Sql,
    private readonly canCheck: boolean,
  ) {}

  /** Creates databases from the migrated template. */
  static async open(database: Database, templates: TemplateDatabases): Promise<Laboratory> {
    const name = `${templates.migrated}_mutated`;
    await Laboratory.create(database, templates, `${name}_tests`);
    await Laboratory.create(database, templates, `${name}_histories`);
    const [tests, histories] = [`${name}_tests`, `${name}_histories`].map((each) =>
      connect(ownerUrl(database, each)),
    ) as [postgres.Sql, postgres.Sql];
    await prepareDatabase(histories);
    const [found] = await tests`select to_regproc('extensions.plpgsql_check_function_tb') is not null as checks`;
    return new Laboratory(database, templates, name, tests, histories, found!.checks as boolean);
  }

  private static async create({ server }: Database, { migrated }: TemplateDatabases, name: string): Promise<void> {
    await withConnection(superuserUrl(server, "postgres"), async (sql) => {
      await sql.unsafe(`create database "${name}" template "${migrated}" owner postgres`);
      await sql.unsafe(`alter database "${name}" set track_functions = 'all'`);
    });
  }

  /** Limits the statements of histories. @param milliseconds how long all histories take without a mutant */
  async limitHistories(milliseconds: number): Promise<void> {
    this.limit = Math.max(shortestLimit, Math.round(milliseconds));
    await this.histories.unsafe(`set statement_timeout = ${this.limit}`);
  }

  /** Puts a mutant in the place of its function. @returns why Postgres does not accept it */
  async apply(of: SqlFunction, text: string): Promise<string | undefined> {
    if (!this.ownErrors.has(of.name)) this.ownErrors.set(of.name, await this.typeError(of));
    try {
      await this.tests.unsafe(text);
    } catch (error) {
      return (error as Error).message;
    }
    this.mutated = of;
    await this.histories.unsafe(text);
    const found = await this.typeError(of);
    return found === this.ownErrors.get(of.name) ? undefined : found;
  }

  /** A type error in PL/pgSQL, which Postgres would report only when it runs the function. */
  private async typeError({ name, isPlpgsql }: SqlFunction): Promise<string | undefined> {
    if (!isPlpgsql || !this.canCheck) return undefined;
    const [found] = await this.tests<{ message: string }[]>`
      select f.message
      from pg_catalog.pg_proc as p cross join lateral extensions.plpgsql_check_function_tb(p.oid, fatal_errors => true) as f
      where p.pronamespace = 'app'::regnamespace and p.proname = ${name} and p.prorettype <> 'trigger'::regtype and f.level = 'error' and f.sqlstate like '42%'`;
    return found?.message;
  }

  /** Puts the function back. */
  async undo(): Promise<void> {
    if (!this.mutated) return;
    for (const sql of [this.tests, this.histories]) await sql.unsafe(this.mutated.text);
    this.mutated = undefined;
  }

  /** Runs `work` with a new database in which the mutant is, and drops it. */
  async withDatabase<T>(text: string, work: (name: string) => Promise<T>): Promise<T> {
    const name = `${this.name}_own`;
    await Laboratory.create(this.database, this.templates, name);
    try {
      await this.withOwner(name, (sql) => sql.unsafe(text));
      return await work(name);
    } finally {
      await dropDatabases(this.database.server, name);
      await dropDatabases(this.database.server, `${this.templates.migrated}_clone`);
    }
  }

  /** Runs `work` with a connection that is closed afterwards. */
  async withOwner<T>(name: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const sql = connect(ownerUrl(this.database, name), { connection: { statement_timeout: this.limit } });
    try {
      return await work(sql);
    } finally {
      await sql.end({ timeout: 5 });
    }
  }

  /** Runs a committed history on a database of its own. */
  async withPreparedDatabase<T>(text: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    return this.withDatabase(text, (name) =>
      this.withOwner(name, async (sql) => {
        await prepareDatabase(sql);
        return work(sql);
      }),
    );
  }

  async close(): Promise<void> {
    await this.tests.end({ timeout: 5 });
    await this.histories.end({ timeout: 5 });
    await dropDatabases(this.database.server, this.name);
  }
}
