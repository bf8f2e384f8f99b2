import type { Context } from "hono";
import { preferredLanguage } from "../language.ts";
import { type CsvFile, type Line, wordOf } from "./serve_csv.ts";
import { type Chunk, chunksFrom, type ReadLines, serveFile } from "./serve_file.ts";
import { type Cell, workbook, XLSX } from "./workbook.ts";

/** Responds with a workbook of the lines of a CSV file, written while it is read (`docs/decisions/0074`). */
export async function serveXlsx(c: Context, file: CsvFile, read: ReadLines): Promise<Response> {
  const language = preferredLanguage(c);
  const first = JSON.parse(await read(null)) as Chunk<Line>;
  const rows = async function* (): AsyncGenerator<Cell[][], void> {
    yield [file.columns.map(({ title }) => title[language])];
    for await (const lines of chunksFrom(first, read))
      yield lines.map((line) =>
        file.columns.map(({ key, words, isAmount }) => {
          const text = wordOf(line[key], words, language);
          return isAmount && text !== "" ? { amount: text } : text;
        }),
      );
  };
  return serveFile(c, `${file.name}.xlsx`, workbook(rows()), {
    "content-type": XLSX,
    "content-language": language,
    vary: "Accept-Language",
  });
}
