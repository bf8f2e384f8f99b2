import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "./database.ts";
import { databaseUrl, superuserUrl, withConnection } from "./database_server.ts";
import { projectRoot } from "../ground/paths.ts";
import { pgTapFile } from "./install.ts";
import { Problem } from "../ground/problem.ts";
import { passwordOf } from "../ground/state.ts";
import { openConnection } from "../ground/open_connection.ts";

const folder = join(projectRoot, "scripts/postgres/platform");

/** The line of a text at which a position of a Postgres error is. */
function lineAt(text: string, position: string | undefined): string {
  return position ? `:${text.slice(0, Number(position)).split("\n").length}` : "";
}

/**
 * Runs SQL files, each in a transaction of its own, and stops at the first error. Needs no client program.
 * @param settings of the session
 * @throws Problem with the file, the line and the error
 */
export async function runSqlFiles(url: string, files: string[], settings: Record<string, string> = {}): Promise<void> {
  const sql = openConnection(url, { max: 1, fetch_types: false, connection: settings });
  try {
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      await sql.unsafe(text).catch((error: unknown) => {
        const { message, position } = error as { message: string; position?: string };
        throw new Problem(
          `${file}${lineAt(text, position)} failed: ${message}`,
          "Fix the reported error in the SQL file and start again.",
        );
      });
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const rolesWithPassword = ["postgres", "authenticator", "supabase_auth_admin"];

/** Creates the roles of Supabase on the server. */
export async function createPlatformRoles({ server, state }: Database): Promise<void> {
  const url = superuserUrl(server, "postgres");
  await runSqlFiles(url, [join(folder, "01_roles.sql")]);
  await withConnection(url, async (sql) => {
    for (const role of rolesWithPassword) await sql.unsafe(`alter role ${role} password '${passwordOf(state, role)}'`);
  });
}

/** How a database is used. */
export interface DatabaseUse {
  /** Whether this is the one database of the server that schedules jobs. */
  schedules: boolean;
  /** Adds pgTAP and plpgsql_check, as far as this machine has them. */
  forTests: boolean;
}

/** Sets up a database like that of a new Supabase project. */
export async function preparePlatform(
  { server, kind, state }: Database,
  name: string,
  { schedules, forTests }: DatabaseUse,
): Promise<void> {
  const url = superuserUrl(server, name);
  await runSqlFiles(url, [join(folder, "02_database.sql")]);
  await createAuthTables(databaseUrl(server, "supabase_auth_admin", passwordOf(state, "supabase_auth_admin"), name));
  const cron = (await canHavePgCron(url))
    ? ["04_cron.sql"]
    : schedules && kind !== "installed"
      ? ["04_cron_stand_in.sql"]
      : [];
  const rest = ["03_auth.sql", ...cron, ...(forTests ? ["05_test_extensions.sql"] : [])];
  await runSqlFiles(
    url,
    rest.map((file) => join(folder, file)),
  );
  if (forTests) await addPgTap(url);
}

/**
 * Adds pgTAP to a database whose server does not have the extension: it consists of functions in SQL and PL/pgSQL only.
 */
async function addPgTap(url: string): Promise<void> {
  const file = pgTapFile();
  const [row] = await withConnection(
    url,
    (sql) => sql<{ exists: boolean }[]>`select to_regprocedure('extensions.plan(integer)') is not null as exists`,
  );
  if (file && !row?.exists) await runSqlFiles(url, [file], { search_path: "extensions, pg_catalog" });
}

/** Whether pg_cron can be created in this database. A server has only one such database. */
async function canHavePgCron(url: string): Promise<boolean> {
  const [row] = await withConnection(
    url,
    (sql) =>
      sql<{ here: boolean | null }[]>`select current_setting('cron.database_name', true) = current_database() as here`,
  );
  return row?.here === true;
}

/** Has the Auth server create its tables, as on hosted Supabase. */
async function createAuthTables(databaseUrl: string): Promise<void> {
  // Loaded on demand, because loading the Auth server takes long and few commands need it.
  const { createAuthApp } = await import("../auth/app.ts");
  const app = createAuthApp({
    databaseUrl,
    jwtSecret: "unused-while-creating-tables",
    publishableKey: "unused",
    secretKey: "unused",
    siteUrl: "http://127.0.0.1",
  });
  await app.ensureSystemSchema();
  await app.connection.close();
  // The Auth server ignores failed statements, so the result has to be checked.
  const tables = await withConnection(
    databaseUrl,
    (sql) => sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'auth'`,
  );
  const missing = ["users", "sessions", "refresh_tokens", "identities"].filter(
    (name) => !tables.some((table) => table.name === name),
  );
  if (missing.length > 0) throw new Error(`The Auth server did not create its tables: ${missing.join(", ")}`);
}
