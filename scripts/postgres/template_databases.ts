import type { Database } from "./database.ts";
import { type DatabaseServer, databaseUrl, superuserUrl, withConnection } from "./database_server.ts";
import { applyMigrations } from "./migrations.ts";
import { preparePlatform } from "./platform.ts";
import { passwordOf } from "../ground/state.ts";

/** Databases that tests clone. They have no pg_cron, which can be created in only one database of a server. */
export interface TemplateDatabases {
  /** A new Supabase project: only the platform part. */
  platform: string;
  /** The platform part and all migrations. */
  migrated: string;
}

/**
 * Creates the template databases.
 * @param prefix distinguishes them from those of other runs on the same server
 * @param folder of the migrations, if not that of the project
 */
export async function createTemplates(database: Database, prefix: string, folder?: string): Promise<TemplateDatabases> {
  const { server, state } = database;
  const templates = { platform: `${prefix}_platform`, migrated: `${prefix}_migrated` };
  const create = (statement: string) =>
    withConnection(superuserUrl(server, "postgres"), (sql) => sql.unsafe(statement));

  await create(`create database "${templates.platform}"`);
  await preparePlatform(database, templates.platform, { schedules: false, forTests: true });
  await create(`create database "${templates.migrated}" template "${templates.platform}" owner postgres`);
  await applyMigrations(
    databaseUrl(server, "postgres", passwordOf(state, "postgres"), templates.migrated),
    "Fix the migration and run the command again.",
    { folder },
  );
  return templates;
}

/** Copies a template database for tests that share it. @returns the address of the copy, for its owner */
export async function copyTemplate({ server, state }: Database, template: string, copy: string): Promise<string> {
  await withConnection(superuserUrl(server, "postgres"), async (sql) => {
    await sql.unsafe(`create database "${copy}" template "${template}" owner postgres`);
    // A copy has the privileges on objects of its template, but not those on the database.
    await sql.unsafe(`revoke temporary on database "${copy}" from public`);
  });
  return databaseUrl(server, "postgres", passwordOf(state, "postgres"), copy);
}

/** Drops every database whose name starts with the prefix, including clones that tests did not drop. */
export async function dropDatabases(server: DatabaseServer, prefix: string): Promise<void> {
  await withConnection(superuserUrl(server, "postgres"), async (sql) => {
    const found = await sql<
      { name: string }[]
    >`select datname as name from pg_database where starts_with(datname, ${prefix})`;
    for (const { name } of found) await sql.unsafe(`drop database if exists "${name}" with (force)`);
  });
}
