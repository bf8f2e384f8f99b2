import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import papaparse from "papaparse";
import { csvCell, csvQuotes } from "./csv_formula.ts";
import { type Language, preferredLanguage } from "../responses/language.ts";
import { type Chunk, chunksFrom, type ReadLines, serveFile } from "./serve_file.ts";
import { bilingual } from "../words/bilingual.ts";

/** A text in both languages. */
export type Text = Record<Language, string>;

/** A column of a CSV file: the key of its values in a line, its header, and texts for values that are codes. */
export interface CsvColumn {
  key: string;
  title: Text;
  words?: Record<string, Text>;
  /** In a workbook, the values are numbers with two decimals; those of other columns are text. */
  isAmount?: true;
  /** In a workbook, the values are numbers with the decimals that they have, such as points. */
  isNumber?: true;
}

/** A CSV file: its name without extension, and its columns. */
export interface CsvFile {
  name: string;
  columns: readonly CsvColumn[];
}

export type Line = Record<string, string | null>;

const LINE_END = "\r\n";

/** What a route that returns a CSV file declares. */
export function csvFile(name: string, columns: readonly CsvColumn[]) {
  const response = z.string().openapi({
    description: bilingual(
      "UTF-8 with a byte order mark, lines oldest first. The header is in English or Chinese, depending on Accept-Language. " +
        "Times are in the store's time zone and have their offset from UTC, for example `2026-11-01 00:00:00+08:00`. If an error occurs after the first lines, the connection ends without the end of the response.",
      "UTF-8，带字节顺序标记，最早的行在前。表头按 Accept-Language 为中文或英文。时间为商城时区，带有与 UTC 的偏移量，例如 `2026-11-01 00:00:00+08:00`。若在发送首批行之后出错，连接会在响应完成前中断。",
    ),
  });
  return { file: { name, columns, serve: serveCsv }, media: "text/csv", response };
}

/** Responds with a CSV file (see serve_file.ts). */
export async function serveCsv(c: Context, file: CsvFile, read: ReadLines): Promise<Response> {
  const language = preferredLanguage(c);
  const first = JSON.parse(await read(null)) as Chunk<Line>;
  return serveFile(c, `${file.name}.csv`, textsOf(file.columns, language, first, read), {
    "content-type": "text/csv; charset=utf-8",
    "content-language": language,
    vary: "Accept-Language",
  });
}

async function* textsOf(
  columns: readonly CsvColumn[],
  language: Language,
  first: Chunk<Line>,
  read: ReadLines,
): AsyncGenerator<string, void> {
  yield `\uFEFF${toCsv([columns.map(({ title }) => title[language])])}`;
  for await (const lines of chunksFrom(first, read))
    yield toCsv(lines.map((line) => columns.map(({ key, words }) => wordOf(line[key], words, language))));
}

/** The text of a value in a file. */
export function wordOf(value: string | null | undefined, words: CsvColumn["words"], language: Language): string {
  return value ? (words?.[value]?.[language] ?? value) : "";
}

function toCsv(rows: string[][]): string {
  const cells = rows.map((row) => row.map(csvCell));
  return papaparse.unparse(cells, { quotes: csvQuotes, newline: LINE_END }) + LINE_END;
}
