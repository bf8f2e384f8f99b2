import { withConnection } from "../postgres/database_server.ts";

/** One object of a database, as app.catalogue and app.manifest have it. */
interface CatalogueRow {
  kind: string;
  name: string;
  definition: string;
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** @param source `app.catalogue()` or `app.manifest` */
function read(databaseUrl: string, source: string): Promise<CatalogueRow[]> {
  return withConnection(databaseUrl, async (sql) => [
    ...(await sql.unsafe<CatalogueRow[]>(
      `select kind, name, definition from ${source} order by kind collate "C", name collate "C"`,
    )),
  ]);
}

/** The statements that delete some rows of the manifest and insert others. */
function statements(removed: CatalogueRow[], added: CatalogueRow[]): string {
  const rows = (of: CatalogueRow[], columns: (row: CatalogueRow) => string[]) =>
    of.map((row) => `  (${columns(row).map(literal).join(", ")})`).join(",\n");
  return [
    ...(removed.length > 0
      ? [`delete from app.manifest where (kind, name) in (\n${rows(removed, ({ kind, name }) => [kind, name])}\n);`]
      : []),
    ...(added.length > 0
      ? [
          `insert into app.manifest (kind, name, definition) values\n${rows(added, ({ kind, name, definition }) => [kind, name, definition])};`,
        ]
      : []),
  ].join("\n");
}

/**
 * The statements of a migration that bring the manifest up to date.
 * @param migratedUrl of a database before the migration
 * @param sourceUrl of one that was built from sql/
 */
export async function manifestChanges(migratedUrl: string, sourceUrl: string): Promise<string> {
  const [before, after] = await Promise.all([read(migratedUrl, "app.manifest"), read(sourceUrl, "app.catalogue()")]);
  const key = ({ kind, name, definition }: CatalogueRow) => JSON.stringify([kind, name, definition]);
  const [known, wanted] = [new Set(before.map(key)), new Set(after.map(key))];
  return statements(
    before.filter((row) => !wanted.has(key(row))),
    after.filter((row) => !known.has(key(row))),
  );
}
