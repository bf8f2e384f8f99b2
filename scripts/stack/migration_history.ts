import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, ownerUrl } from "./database.ts";
import { withConnection } from "./database_server.ts";
import { migrationsFolder, type StackPlace } from "./paths.ts";
import { Problem } from "./problem.ts";

/** Version (the digits that a file name begins with) to content. */
type History = Map<string, string>;

/** What a migration does, without comments, white space and the ends of statements: the record keeps neither. */
function essence(sql: string): string {
  return sql.replace(/--.*$/gm, "").replace(/[\s;]/g, "");
}

function historyOfFiles(): History {
  const names = readdirSync(migrationsFolder).filter((name) => /^\d+_.*\.sql$/.test(name));
  return new Map(names.map((name) => [name.split("_")[0]!, essence(readFileSync(join(migrationsFolder, name), "utf8"))]));
}

/** What the Supabase CLI recorded when it applied migrations; nothing in a new database. */
async function historyOfDatabase(databaseUrl: string): Promise<History> {
  return withConnection(databaseUrl, async (sql) => {
    const [record] = await sql`select to_regclass('supabase_migrations.schema_migrations') is not null as exists`;
    if (!record?.exists) return new Map<string, string>();
    const rows = await sql<{ version: string; sql: string }[]>`
      select version, array_to_string(statements, E'\n') as sql from supabase_migrations.schema_migrations`;
    return new Map(rows.map(({ version, sql }) => [version, essence(sql)]));
  });
}

/** How two histories differ; undefined where the files only add to what the database has. */
export function difference(database: History, files: History): string | undefined {
  const unknown = [...database.keys()].filter((version) => !files.has(version));
  if (unknown.length > 0) return `${unknown.length} of its ${database.size} migrations are not there (${unknown.slice(0, 3).join(", ")}${unknown.length > 3 ? ", …" : ""}).`;
  const changed = [...database].filter(([version, content]) => files.get(version) !== content).map(([version]) => version);
  if (changed.length > 0) return `${changed.join(", ")} has changed since it was applied.`;
  const last = [...database.keys()].sort().at(-1) ?? "";
  const between = [...files.keys()].filter((version) => !database.has(version) && version < last);
  return between.length > 0 ? `${between.join(", ")} was not applied, but later ones were.` : undefined;
}

/**
 * Looks whether the migrations of a database are those of supabase/migrations, as far as it has come.
 * @throws Problem that shows how to dump what the database holds, and how to start over
 */
export async function requireKnownHistory(database: Database, place: StackPlace): Promise<void> {
  const url = ownerUrl(database, database.name);
  const found = difference(await historyOfDatabase(url), historyOfFiles());
  if (!found) return;
  const dump = `${join(database.client.bin, "pg_dump")} --format=custom --file=store.dump '${url}'`;
  const isOurs = database.restart !== undefined;
  const steps = isOurs ? ["npm start -- --database-only --detach", dump, "npm stop", "npm start -- --reset"] : [dump];
  throw new Problem(
    `The database ${isOurs ? `in ${place.directory} ` : ""}was made by other migrations than those in supabase/migrations: ${found}\nIt cannot be brought up to date. Nothing was changed.`,
    [
      isOurs ? "To keep what is in it, dump it before you start over:" : "To keep what is in it, dump it. Then drop and create the database and start again:",
      "",
      ...steps.map((step) => `  ${step}`),
    ].join("\n"),
  );
}
