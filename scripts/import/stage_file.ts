import { once } from "node:events";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type postgres from "postgres";
import { type FileFinding, readCsv } from "./csv_file.ts";
import type { FormFile, StagedRow } from "./form.ts";

/** The columns of each staging table, from the database. */
export type StagedColumns = Map<string, string[]>;

export async function stagedColumns(sql: postgres.Sql): Promise<StagedColumns> {
  const columns = await sql<{ file: string; name: string }[]>`select file, name from app.import_columns()`;
  const tables: StagedColumns = new Map([["bill", ["source"]]]);
  for (const { file, name } of columns) tables.set(file, [...(tables.get(file) ?? []), name]);
  return tables;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A row in the text format of COPY. */
function copyLine({ line, values }: StagedRow, columns: readonly string[]): string {
  const fields = columns.map((name) => values[name]?.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character) ?? "\\N");
  return `${line}\t${fields.join("\t")}\n`;
}

/** Opens COPY into a staging table. */
async function copyInto(sql: postgres.Sql, table: string, columns: readonly string[]): Promise<Writable> {
  return sql.unsafe(`copy app.staged_${table} (line, ${columns.join(", ")}) from stdin`).writable();
}

async function write(copy: Writable, text: string): Promise<void> {
  if (text !== "" && !copy.write(text)) await once(copy, "drain");
}

async function end(copy: Writable): Promise<void> {
  copy.end();
  await finished(copy);
}

/**
 * Copies a file of a form into its staging table.
 * @param show called with the number of records read so far
 * @returns what is wrong with the file
 */
export async function stageFile(sql: postgres.Sql, folder: string, file: FormFile, tables: StagedColumns, show: (records: number) => void): Promise<FileFinding[]> {
  const columns = tables.get(file.table) ?? [];
  // A connection copies into one table at a time; rows for other tables wait.
  const others = new Map<string, string[]>();
  const copy = await copyInto(sql, file.table, columns);
  let read = 0;
  const findings = await readCsv(join(folder, file.name), file.columns, async (records) => {
    let text = "";
    for (const row of records.flatMap((record) => file.rows(record))) {
      const line = copyLine(row, tables.get(row.table) ?? []);
      if (row.table === file.table) text += line;
      else (others.get(row.table) ?? others.set(row.table, []).get(row.table))?.push(line);
    }
    read += records.length;
    show(read);
    await write(copy, text);
  });
  await end(copy);
  for (const [table, lines] of others) {
    const into = await copyInto(sql, table, tables.get(table) ?? []);
    await write(into, lines.join(""));
    await end(into);
  }
  return findings;
}
