import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { preferredLanguage } from "../responses/language.ts";
import { type CsvColumn, type CsvFile, type Line, wordOf } from "./serve_csv.ts";
import { type Chunk, chunksFrom, type ReadLines, serveFile } from "./serve_file.ts";
import { type Cell, workbook, XLSX } from "./workbook.ts";

/** As many rows as a sheet can have. */
const MOST_ROWS = 1_048_576;

/** What a route that returns the lines of a CSV file as a workbook declares. */
export function xlsxFile(name: string, columns: readonly CsvColumn[]) {
  const response = z.string().openapi({
    format: "binary",
    description:
      "The lines of the CSV file. Amounts, points and rates are numbers, all other cells are text. If an error occurs after the first lines, or there are more lines " +
      `than a sheet has, which is ${(MOST_ROWS - 1).toLocaleString("en")}, the connection ends without the end of the response.`,
  });
  return { file: { name, columns, serve: serveXlsx }, media: XLSX, response };
}

/** Responds with a workbook of the lines of a CSV file, written while it is read (`docs/decisions/0074`). */
export async function serveXlsx(c: Context, file: CsvFile, read: ReadLines, mostRows = MOST_ROWS): Promise<Response> {
  const language = preferredLanguage(c);
  const first = JSON.parse(await read(null)) as Chunk<Line>;
  const rows = async function* (): AsyncGenerator<Cell[][], void> {
    yield [file.columns.map(({ title }) => title[language])];
    let written = 1;
    for await (const lines of chunksFrom(first, read)) {
      if ((written += lines.length) > mostRows) throw new Error(`A sheet has at most ${mostRows} rows.`);
      yield lines.map((line) =>
        file.columns.map((column) => cellOf(column, wordOf(line[column.key], column.words, language))),
      );
    }
  };
  return serveFile(c, `${file.name}.xlsx`, workbook(rows()), {
    "content-type": XLSX,
    "content-language": language,
    vary: "Accept-Language",
  });
}

function cellOf({ isAmount, isNumber }: CsvColumn, text: string): Cell {
  if (text === "") return text;
  if (isAmount) return { amount: text };
  return isNumber ? Number(text) : text;
}
