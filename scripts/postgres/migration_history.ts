import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { withConnection } from "./database_server.ts";
import { applyMigrations } from "./migrations.ts";
import { migrationsFolder, type StackPlace } from "../ground/paths.ts";
import { clientFolder } from "./install.ts";
import { Problem } from "../ground/problem.ts";
import type { ShowDetail } from "../ground/progress.ts";
import { readState, resetAdvice } from "../ground/state.ts";

/** Migrations by version, which is the number at the beginning of the file name. */
type History = Map<string, string>;

/** Removes comments, white space and semicolons, which the Supabase CLI does not record. */
function normalize(sql: string): string {
  return sql.replace(/--.*$/gm, "").replace(/[\s;]/g, "");
}

/** The migrations of this folder. */
export function historyOfFiles(): History {
  const names = readdirSync(migrationsFolder).filter((name) => /^\d+_.*\.sql$/.test(name));
  return new Map(
    names.map((name) => [name.split("_")[0]!, normalize(readFileSync(join(migrationsFolder, name), "utf8"))]),
  );
}

/** Reads the migrations that the Supabase CLI recorded when it applied them. A new database has none. */
export async function historyOfDatabase(sql: postgres.Sql): Promise<History> {
  const [record] = await sql`select to_regclass('supabase_migrations.schema_migrations') is not null as exists`;
  if (!record?.exists) return new Map<string, string>();
  const rows = await sql<{ version: string; sql: string }[]>`
    select version, array_to_string(statements, E'\n') as sql from supabase_migrations.schema_migrations`;
  return new Map(rows.map(({ version, sql: text }) => [version, normalize(text)]));
}

/** The schemas that the migrations create. */
const ownSchemas = () => [
  ...new Set(
    readdirSync(migrationsFolder).flatMap((name) =>
      [
        ...readFileSync(join(migrationsFolder, name), "utf8").matchAll(/^create schema (?:if not exists )?(\w+);$/gm),
      ].map(([, schema]) => schema!),
    ),
  ),
];

/** What to do with a database of something else. */
export const OF_SOMETHING_ELSE =
  "The store needs a database of its own: create a project for it. If this is a store that was restored from a dump, restore the schema supabase_migrations, too.";

/**
 * What a database that has no store has of something else: migrations, or schemas with the names of those of the store.
 * @returns undefined if it has a store, or nothing
 */
export async function somethingElse(sql: postgres.Sql, database: History, files: History): Promise<string | undefined> {
  const versions = [...database.keys()];
  if (versions.some((version) => files.has(version))) return undefined;
  const [found] = await sql<{ has_store: boolean; schemas: string | null }[]>`
    select to_regclass('app.orders') is not null as has_store,
      (select string_agg(s.nspname, ', ' order by s.nspname) from pg_namespace as s where s.nspname = any (${ownSchemas()})) as schemas`;
  if (versions.length === 0) return found!.schemas === null ? undefined : `the schemas ${found!.schemas}`;
  return found!.has_store ? undefined : `${versions.length} migrations, of which the store knows none`;
}

/** Describes how two histories differ. @returns undefined if the files only add migrations to those of the database */
export function difference(database: History, files: History): string | undefined {
  const unknown = [...database.keys()].filter((version) => !files.has(version));
  if (unknown.length > 0)
    return `${unknown.length} of its ${database.size} migrations do not exist (${unknown.slice(0, 3).join(", ")}${unknown.length > 3 ? ", …" : ""}).`;
  const changed = [...database]
    .filter(([version, content]) => files.get(version) !== content)
    .map(([version]) => version);
  if (changed.length > 0) return `${changed.join(", ")} has changed since it was applied.`;
  const last = [...database.keys()].sort().at(-1) ?? "";
  const between = [...files.keys()].filter((version) => !database.has(version) && version < last);
  return between.length > 0 ? `${between.join(", ")} was not applied, but later ones were.` : undefined;
}

/**
 * Checks that the migrations applied to a database are those in supabase/migrations, or their beginning.
 * @returns how many of the files were not applied yet
 * @throws Problem that shows how to dump the database and start over
 */
async function requireKnownHistory(url: string, place: StackPlace): Promise<number> {
  const [applied, files] = [await withConnection(url, historyOfDatabase), historyOfFiles()];
  const found = difference(applied, files);
  if (!found) return files.size - applied.size;
  const isOurs = !process.env.DATABASE_URL && readState(place)?.data_directory !== "";
  const major = await withConnection(
    url,
    async (sql) =>
      (await sql<{ major: number }[]>`select current_setting('server_version_num')::integer / 10000 as major`)[0]!
        .major,
  );
  const folder = clientFolder("pg_dump", major);
  const dump = `${join(folder ?? "", "pg_dump")} --format=custom --file=store.dump '${url}'`;
  const steps = isOurs ? ["npm start -- --database-only --detach", dump, "npm stop", "npm start -- --reset"] : [dump];
  throw new Problem(
    `The database ${isOurs ? `in ${place.directory} ` : ""}was created by other migrations than those in supabase/migrations: ${found}\nIt cannot be migrated. Nothing was changed.`,
    [
      isOurs
        ? "To keep the data, dump the database before you start over:"
        : "To keep the data, dump the database. Then drop and create it, and start again:",
      "",
      ...steps.map((step) => `  ${step}`),
      ...(folder
        ? []
        : [
            "",
            `pg_dump ${major} was not found on this machine. Install the client programs of Postgres ${major} first.`,
          ]),
    ].join("\n"),
  );
}

/**
 * Applies the new migrations to a store of this project.
 * @param url for role postgres
 * @returns whether there were any
 */
export async function migrateStore(url: string, place: StackPlace, show: ShowDetail): Promise<boolean> {
  const missing = await requireKnownHistory(url, place);
  if (missing === 0) return false;
  return applyMigrations(url, `Fix the migration and start again. ${resetAdvice(place)}`, {
    onRetry: (attempt) => show(`attempt ${attempt} did not get its locks, or was interrupted`),
  });
}
