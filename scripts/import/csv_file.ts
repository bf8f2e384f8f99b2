import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { basename } from "node:path";
import Papa from "papaparse";

/** Something that is wrong with a file, at a line of it. Lines are counted from 1, which is the header. */
export interface FileFinding {
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
  for await (const bytes of createReadStream(path, { highWaterMark: 1 << 18 })) yield decoder.decode(bytes as Buffer, { stream: true });
  yield decoder.decode();
}

/** @returns the line of the first byte that is not text in this encoding, or undefined if all of it is */
async function firstBadLine(path: string, encoding: Encoding): Promise<number | undefined> {
  let line = 1;
  try {
    for await (const text of decoded(path, encoding)) line += text.split("\n").length - 1;
    return undefined;
  } catch {
    return line;
  }
}

/** UTF-8, with or without a byte order mark, or GBK, which GB 18030 extends. @returns a finding if the file is neither */
async function encodingOf(path: string): Promise<Encoding | FileFinding> {
  const file = basename(path);
  let start = Buffer.alloc(0);
  for await (const bytes of createReadStream(path, { end: 1 })) start = Buffer.concat([start, bytes as Buffer]);
  if (["fffe", "feff"].includes(start.toString("hex"))) return { file, line: 1, column: "", finding: "is encoded in UTF-16; save it in UTF-8 or GBK" };
  if ((await firstBadLine(path, "utf-8")) === undefined) return "utf-8";
  const line = await firstBadLine(path, "gb18030");
  return line === undefined ? "gb18030" : { file, line, column: "", finding: "has bytes near this line that are neither UTF-8 nor GBK" };
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
    ...required.filter((name) => !header.includes(name)).map((column) => ({ file, line: 1, column, finding: "is missing: the file has no such column" })),
    ...header.filter((name) => known && !known.has(name)).map((column) => ({ file, line: 1, column, finding: "is not a column of this file; remove it or correct its name" })),
    ...header.filter((name, index) => header.indexOf(name) !== index).map((column) => ({ file, line: 1, column, finding: "occurs more than once in the header" })),
  ];
}

const mostFindings = 20;

/**
 * Reads a CSV file with a header, record by record.
 * @param onRecords called with the records of each part of the file; the next part is read when its promise is fulfilled
 * @returns what is wrong with the file; at most 20 findings. Records after a finding may be missing
 */
export async function readCsv(path: string, columns: Columns, onRecords: (records: CsvRecord[]) => Promise<void>): Promise<FileFinding[]> {
  const file = basename(path);
  const encoding = await encodingOf(path);
  if (typeof encoding !== "string") return [encoding];
  const findings: FileFinding[] = [];
  const places = new Map<string, number>();
  let width = 0;
  let line = 1;

  const recordsOf = (rows: string[][]): CsvRecord[] => {
    const records: CsvRecord[] = [];
    for (const row of rows) {
      const begins = line;
      line += 1 + row.reduce((breaks, value) => breaks + value.split("\n").length - 1, 0);
      if (row.length === 1 && row[0] === "") continue;
      if (width === 0) {
        const header = row.map((name) => name.trim());
        width = header.length;
        header.forEach((name, index) => places.set(name, index));
        findings.push(...headerFindings(file, header, columns));
      } else if (row.length !== width) {
        findings.push({ file, line: begins, column: "", finding: `has ${row.length} values, but the header has ${width}` });
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

  await new Promise<void>((resolve, reject) => {
    Papa.parse<string[]>(Readable.from(decoded(path, encoding)), {
      delimitersToGuess: [",", ";", "\t"],
      chunk({ data, errors }, parser) {
        const [error] = errors.filter(({ type }) => type === "Quotes");
        const records = recordsOf(error ? data.slice(0, error.row ?? 0) : data);
        if (error) findings.push({ file, line, column: "", finding: "has a value whose quotes do not match" });
        if (error || findings.length >= mostFindings || (width > 0 && findings.some((finding) => finding.line === 1))) {
          parser.abort();
          return;
        }
        parser.pause();
        onRecords(records).then(() => parser.resume(), reject);
      },
      complete: () => resolve(),
      error: reject,
    });
  });
  if (width === 0) findings.push({ file, line: 1, column: "", finding: "is empty: it has no header" });
  return findings.slice(0, mostFindings);
}
