import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import papaparse from "papaparse";
import { CSV_FORMULA } from "./csv_formula.ts";
import { stateOf } from "./database_problem.ts";
import { type Language, preferredLanguage } from "./language.ts";
import { log } from "./log.ts";
import { respond } from "./respond.ts";

/** A text in both languages. */
export type Text = Record<Language, string>;

/** A column of a CSV file: the key of its values in a line, its header, and texts for values that are codes. */
export interface CsvColumn {
  key: string;
  title: Text;
  words?: Record<string, Text>;
}

/** A CSV file: its name without extension, and its columns. */
export interface CsvFile {
  name: string;
  columns: readonly CsvColumn[];
}

/** Returns the next lines of a file as JSON, `{lines, next_cursor}`. The cursor is null for the first lines, and after the last ones. */
type ReadLines = (cursor: string | null) => Promise<string>;

interface Chunk {
  lines: Record<string, string | null>[];
  next_cursor: string | null;
}

const LINE_END = "\r\n";

/** What a route that returns a CSV file declares. */
export function csvFile(name: string, columns: readonly CsvColumn[]) {
  const response = z.string().openapi({
    description: "UTF-8 with a byte order mark, lines oldest first. The header is in English or Chinese, depending on Accept-Language. " +
      "Times are in the store's time zone. If an error occurs after the first lines, the connection ends without the end of the response.",
  });
  return { csv: { name, columns }, media: "text/csv", response };
}

/**
 * Responds with a CSV file. Only one chunk is in memory: the next one is read when the client has taken the previous one. An error in the
 * first chunk is a problem response. A later one breaks off the response, so that the client does not take it for a complete file.
 */
export async function serveCsv(c: Context, file: CsvFile, read: ReadLines): Promise<Response> {
  const language = preferredLanguage(c);
  const first = JSON.parse(await read(null)) as Chunk;
  const texts = textsOf(file.columns, language, first, read);
  const encoder = new TextEncoder();
  const requestId: string = c.get("requestId");
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        log("error", "file broken off", { request_id: requestId, file: file.name, sqlstate: stateOf((error as Error).cause) || undefined, error: String(error) });
        controller.error(error);
      }
    },
    cancel: async () => {
      await texts.return();
    },
  }, { highWaterMark: 0 });
  return respond(c, body, 200, {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${file.name}.csv"`,
    "content-language": language,
    "vary": "Accept-Language",
  });
}

async function* textsOf(columns: readonly CsvColumn[], language: Language, first: Chunk, read: ReadLines): AsyncGenerator<string, void> {
  yield `\uFEFF${toCsv([columns.map(({ title }) => title[language])])}`;
  for (let chunk = first;; chunk = JSON.parse(await read(chunk.next_cursor)) as Chunk) {
    if (chunk.lines.length > 0) yield toCsv(chunk.lines.map((line) => columns.map(({ key, words }) => wordOf(line[key], words, language))));
    if (chunk.next_cursor === null) return;
  }
}

function wordOf(value: string | null | undefined, words: CsvColumn["words"], language: Language): string {
  return value ? words?.[value]?.[language] ?? value : "";
}

function toCsv(rows: string[][]): string {
  return papaparse.unparse(rows, { escapeFormulae: CSV_FORMULA, newline: LINE_END }) + LINE_END;
}
