import type { Database } from "./database.ts";
import { type DatabaseServer, databaseUrl, superuserUrl, withConnection } from "./database_server.ts";
import { applyMigrations } from "./migrations.ts";
import { preparePlatform } from "./platform.ts";
import { passwordOf } from "./state.ts";

/** Databases that tests clone instead of building their own. None has pg_cron, which fits in one database only. */
export interface TemplateDatabases {
  /** A new Supabase project: the platform part alone. */
  platform: string;
  /** The platform part and all migrations. */
  migrated: string;
}

/** @param prefix keeps the names apart from those of other runs on the same server */
export async function createTemplates({ server, state, client }: Database, prefix: string): Promise<TemplateDatabases> {
  const templates = { platform: `${prefix}_platform`, migrated: `${prefix}_migrated` };
  const create = (statement: string) => withConnection(superuserUrl(server, "postgres"), (sql) => sql.unsafe(statement));

  await create(`create database "${templates.platform}"`);
  await preparePlatform(server, state, client, templates.platform, true);
  await create(`create database "${templates.migrated}" template "${templates.platform}" owner postgres`);
  await applyMigrations(databaseUrl(server, "postgres", passwordOf(state, "postgres"), templates.migrated), "Mend the migration and run the tests again.");
  return templates;
}

/** Drops every database whose name starts with the prefix, clones that tests forgot included. */
export async function dropDatabases(server: DatabaseServer, prefix: string): Promise<void> {
  await withConnection(superuserUrl(server, "postgres"), async (sql) => {
    const found = await sql<{ name: string }[]>`select datname as name from pg_database where starts_with(datname, ${prefix})`;
    for (const { name } of found) await sql.unsafe(`drop database if exists "${name}" with (force)`);
  });
}
