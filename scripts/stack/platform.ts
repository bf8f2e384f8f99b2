import { join } from "node:path";
import { type DatabaseServer, databaseUrl, superuserUrl, withConnection } from "./database_server.ts";
import { projectRoot } from "./paths.ts";
import type { PostgresClient } from "./postgres_install.ts";
import { Problem } from "./problem.ts";
import { lastLines, runCommand } from "./run_command.ts";
import { passwordOf, type State } from "./state.ts";

const folder = join(projectRoot, "scripts/stack/platform");

/** Runs SQL files with psql, which stops at the first error. @throws Problem with the output of psql */
export async function runSqlFiles(install: PostgresClient, url: string, files: string[], env: Record<string, string> = {}): Promise<void> {
  const args = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", url, ...files.flatMap((file) => ["-f", file])];
  const { code, output } = await runCommand(join(install.bin, "psql"), args, {
    env: { PGOPTIONS: "-c client_min_messages=warning", ...env },
  });
  if (code !== 0) throw new Problem(`psql failed:\n${lastLines(output)}`, "Fix the reported error in the SQL file and start again.");
}

/** Creates the roles of Supabase on the server. */
export async function createPlatformRoles(server: DatabaseServer, state: State, install: PostgresClient): Promise<void> {
  await runSqlFiles(install, superuserUrl(server, "postgres"), [join(folder, "01_roles.sql")], {
    POSTGRES_PASSWORD: passwordOf(state, "postgres"),
    AUTHENTICATOR_PASSWORD: passwordOf(state, "authenticator"),
    AUTH_ADMIN_PASSWORD: passwordOf(state, "supabase_auth_admin"),
  });
}

/**
 * Sets up a database like that of a new Supabase project.
 * @param forTests adds pgTAP and plpgsql_check
 */
export async function preparePlatform(server: DatabaseServer, state: State, install: PostgresClient, database: string, forTests: boolean): Promise<void> {
  const url = superuserUrl(server, database);
  await runSqlFiles(install, url, [join(folder, "02_database.sql")]);
  await createAuthTables(databaseUrl(server, "supabase_auth_admin", passwordOf(state, "supabase_auth_admin"), database));
  const rest = ["03_auth.sql", ...((await hasScheduler(url)) ? ["04_cron.sql"] : []), ...(forTests ? ["05_test_extensions.sql"] : [])];
  await runSqlFiles(install, url, rest.map((file) => join(folder, file)));
}

/** Whether pg_cron can be created in this database. A server has only one such database. */
async function hasScheduler(url: string): Promise<boolean> {
  const [row] = await withConnection(url, (sql) => sql<{ here: boolean | null }[]>`select current_setting('cron.database_name', true) = current_database() as here`);
  return row?.here === true;
}

/** Has the Auth server create its tables, as on hosted Supabase. */
async function createAuthTables(databaseUrl: string): Promise<void> {
  // Loaded on demand, because loading the Auth server takes long and few commands need it.
  const { createAuthApp } = await import("./auth_app.ts");
  const app = createAuthApp({ databaseUrl, jwtSecret: "unused-while-creating-tables", publishableKey: "unused", secretKey: "unused", siteUrl: "http://127.0.0.1" });
  await app.ensureSystemSchema();
  await app.connection.close();
  // The Auth server ignores failed statements, so the result has to be checked.
  const tables = await withConnection(databaseUrl, (sql) => sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'auth'`);
  const missing = ["users", "sessions", "refresh_tokens", "identities"].filter((name) => !tables.some((table) => table.name === name));
  if (missing.length > 0) throw new Error(`The Auth server did not create its tables: ${missing.join(", ")}`);
}
