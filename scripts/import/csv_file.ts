import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { dialectOf, DialectDetector, type Row, RowReader, type Seen, UnreadableFile } from "./csv_records.ts";

/** Something that is wrong with a file, at a line of it. Lines are counted from 1, which is the header. */
export interface FileFinding {
  /** Default: an error, which prevents the import. */
  severity?: "error" | "warning";
  file: string;
  line: number;
  column: string;
  finding: string;
  /** The value that the finding is about. */
  value?: string | null;
  /** How many records have this finding, if that is known. */
  total?: number;
}

/** A record of a file: the values by column, and the line that it begins on. */
export interface CsvRecord {
  line: number;
  /** Returns the trimmed value, or null if the column is missing or the value is empty, `NULL` or `\N`. */
  value: (column: string) => string | null;
}

type Encoding = "utf-8" | "gb18030";

async function* decoded(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const bytes of createReadStream(path, { highWaterMark: 1 << 18 }))
    yield decoder.decode(bytes as Buffer, { stream: true });
  yield decoder.decode();
}

/** How a file is written, as far as the file shows it. */
export interface Writing extends Seen {
  encoding: Encoding;
}

/** Reads a file as text of an encoding. @returns what it shows, or the line of the first byte that is no such text */
async function detect(
  path: string,
  encoding: Encoding,
): Promise<ReturnType<DialectDetector["end"]> | { badLine: number }> {
  const detector = new DialectDetector();
  let line = 1;
  try {
    for await (const text of decoded(path, encoding)) {
      detector.read(text);
      line += text.split("\n").length - 1;
    }
  } catch (error) {
    if (error instanceof TypeError) return { badLine: line };
    throw error;
  }
  return detector.end();
}

/**
 * UTF-8, with or without a byte order mark, or GBK, which GB 18030 extends.
 * @returns a finding if the file is neither, or is written in two ways
 */
export async function writingOf(path: string): Promise<Writing | FileFinding> {
  const finding = (line: number, text: string) => ({ file: basename(path), line, column: "", finding: text });
  let start = Buffer.alloc(0);
  for await (const bytes of createReadStream(path, { end: 1 })) start = Buffer.concat([start, bytes as Buffer]);
  if (["fffe", "feff"].includes(start.toString("hex")))
    return finding(1, "is encoded in UTF-16; save it in UTF-8 or GBK");
  for (const encoding of ["utf-8", "gb18030"] as const) {
    const found = await detect(path, encoding);
    if ("mixedAt" in found)
      return finding(
        found.mixedAt,
        "has backslashes that are escaped as MySQL does, and others that are not: export all rows in the same way",
      );
    if (!("badLine" in found)) return { encoding, ...found };
    if (encoding === "gb18030")
      return finding(found.badLine, "has bytes near this line that are neither UTF-8 nor GBK");
  }
  throw new Error("an encoding is either possible or not");
}

/** The columns that a file must have and may have. Without `optional`, any other column is allowed. */
export interface Columns {
  required: readonly string[];
  optional?: readonly string[];
}

const emptyValues = new Set(["", "NULL", "\\N"]);

function headerFindings(file: string, header: readonly string[], { required, optional }: Columns): FileFinding[] {
  const known = optional && new Set([...required, ...optional]);
  return [
    ...required
      .filter((name) => !header.includes(name))
      .map((column) => ({ file, line: 1, column, finding: "is missing: the file has no such column" })),
    ...header
      .filter((name) => known && !known.has(name))
      .map((column) => ({
        file,
        line: 1,
        column,
        finding: "is not a column of this file; remove it or correct its name",
      })),
    ...header
      .filter((name, index) => header.indexOf(name) !== index)
      .map((column) => ({ file, line: 1, column, finding: "occurs more than once in the header" })),
  ];
}

const mostFindings = 20;

/**
 * Reads a CSV file with a header, record by record.
 * @param hasEscapes whether a backslash escapes in other files of the same export
 * @param onRecords called with the records of each part of the file; the next part is read when its promise is
 * fulfilled
 * @returns what is wrong with the file; at most 20 findings. Records after a finding may be missing
 */
export async function readCsv(
  path: string,
  writing: Writing,
  hasEscapes: boolean,
  columns: Columns,
  onRecords: (records: CsvRecord[]) => Promise<void>,
): Promise<FileFinding[]> {
  const file = basename(path);
  const findings: FileFinding[] = [];
  const places = new Map<string, number>();
  let width = 0;

  const recordsOf = (rows: Row[]): CsvRecord[] => {
    const records: CsvRecord[] = [];
    for (const { line: begins, values: row } of rows) {
      if (row.length === 1 && row[0]?.trim() === "") continue;
      if (width === 0) {
        const header = row.map((name) => name.trim());
        width = header.length;
        header.forEach((name, index) => places.set(name, index));
        findings.push(...headerFindings(file, header, columns));
      } else if (row.length !== width) {
        findings.push({
          file,
          line: begins,
          column: "",
          finding: `has ${row.length} values, but the header has ${width}`,
        });
      } else {
        const value = (column: string) => {
          const text = row[places.get(column) ?? width]?.replaceAll("\0", "").trim();
          return text === undefined || emptyValues.has(text) ? null : text;
        };
        records.push({ line: begins, value });
      }
    }
    return records;
  };

  const isBroken = () =>
    findings.length >= mostFindings || (width > 0 && findings.some((finding) => finding.line === 1));
  const reader = new RowReader(dialectOf(writing, hasEscapes));
  try {
    for await (const text of decoded(path, writing.encoding)) {
      await onRecords(recordsOf(reader.read(text)));
      if (isBroken()) break;
    }
    if (!isBroken()) await onRecords(recordsOf(reader.end()));
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return [...findings, { file, line: error.line, column: "", finding: error.message }];
  }
  if (width === 0) findings.push({ file, line: 1, column: "", finding: "is empty: it has no header" });
  return findings.slice(0, mostFindings);
}
