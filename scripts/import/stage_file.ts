import { once } from "node:events";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type postgres from "postgres";
import { type CsvRecord, type FileFinding, readCsv, type Writing } from "./csv_file.ts";
import type { FormFile, LeftOut, Report, StagedRow } from "./form.ts";

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
  const fields = columns.map(
    (name) => values[name]?.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character) ?? "\\N",
  );
  return `${line}\t${fields.join("\t")}\n`;
}

/**
 * Copies into a staging table for as long as `work` writes. If `work` fails, the copy is cancelled: until a copy ends,
 * the connection executes nothing else.
 */
async function copyInto<T>(
  sql: postgres.Sql,
  table: string,
  columns: readonly string[],
  work: (copy: Writable) => Promise<T>,
): Promise<T> {
  const copy = await sql.unsafe(`copy app.staged_${table} (line, ${columns.join(", ")}) from stdin`).writable();
  // An error of the server is thrown by the next write, or at the end.
  copy.on("error", () => undefined);
  try {
    const result = await work(copy);
    copy.end();
    await finished(copy);
    return result;
  } catch (error) {
    copy.destroy();
    throw error;
  }
}

async function write(copy: Writable, text: string): Promise<void> {
  if (copy.errored) throw copy.errored;
  if (text !== "" && !copy.write(text)) await once(copy, "drain");
}

const mostFindings = 20;

/** Collects the findings of a file: at most 20 of each kind, with the number of all. */
export class Findings {
  private readonly kinds = new Map<string, { shown: FileFinding[]; total: number }>();

  add(finding: FileFinding): void {
    const key = `${finding.file} ${finding.column} ${finding.finding}`;
    const kind = this.kinds.get(key) ?? { shown: [], total: 0 };
    this.kinds.set(key, kind);
    kind.total += 1;
    if (kind.shown.length < mostFindings) kind.shown.push(finding);
  }

  all(): FileFinding[] {
    return [...this.kinds.values()].flatMap(({ shown, total }) => shown.map((finding) => ({ ...finding, total })));
  }
}

/** Counts the records of a file with something that is not imported. */
class LeftOutCount {
  private readonly leftOut: LeftOut;
  private first = 0;
  private records = 0;
  private sum = 0;

  constructor(leftOut: LeftOut) {
    this.leftOut = leftOut;
  }

  count(record: CsvRecord): void {
    if (!this.leftOut.isIn(record)) return;
    this.first ||= record.line;
    this.records += 1;
    this.sum += Number(record.value(this.leftOut.column)) || 0;
  }

  findings(file: string): FileFinding[] {
    const { column, finding, isAmount } = this.leftOut;
    const value = `${isAmount ? `${this.sum.toFixed(2)} in ` : ""}${this.records} ${this.records === 1 ? "record" : "records"}`;
    return this.records === 0 ? [] : [{ severity: "warning", file, line: this.first, column, finding, value }];
  }
}

/** A file in a folder. */
export interface Source {
  path: string;
  writing: Writing;
  /** A backslash escapes in other files of the folder. */
  othersHaveEscapes: boolean;
}

/**
 * Copies a file of a form into its staging table.
 * @param show called with the number of records read so far
 * @returns what is wrong with the file
 */
export async function stageFile(
  sql: postgres.Sql,
  file: FormFile,
  { path, writing, othersHaveEscapes }: Source,
  tables: StagedColumns,
  show: (records: number) => void,
): Promise<FileFinding[]> {
  // A connection copies into one table at a time; rows for other tables wait.
  const others = new Map<string, string[]>();
  const reported = new Findings();
  const leftOut = (file.leftOut ?? []).map((one) => new LeftOutCount(one));
  let read = 0;
  const findings = await copyInto(sql, file.table, tables.get(file.table) ?? [], (copy) =>
    readCsv(path, writing, othersHaveEscapes, file.columns, async (records) => {
      let text = "";
      for (const record of records) {
        const report: Report = (column, finding, severity = "error") =>
          reported.add({ severity, file: file.name, line: record.line, column, finding, value: record.value(column) });
        for (const count of leftOut) count.count(record);
        for (const row of file.rows(record, report)) {
          const line = copyLine(row, tables.get(row.table) ?? []);
          if (row.table === file.table) text += line;
          else (others.get(row.table) ?? others.set(row.table, []).get(row.table))?.push(line);
        }
      }
      read += records.length;
      show(read);
      await write(copy, text);
    }),
  );
  for (const [table, lines] of others)
    await copyInto(sql, table, tables.get(table) ?? [], (copy) => write(copy, lines.join("")));
  return [...findings, ...reported.all(), ...leftOut.flatMap((count) => count.findings(file.name))];
}
