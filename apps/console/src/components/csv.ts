import { csvCell, csvQuotes } from "../../../../functions/_shared/files/csv_formula.ts";
import type { Column, CsvValue } from "./column.ts";

/** Formats a value for a spreadsheet: times and days in the locale of the browser. */
export type WriteValue = (value: CsvValue) => string | number;

/** Builds a CSV file: a header row, formulas escaped, UTF-8 with a byte order mark. */
export async function toCsv<Row>(columns: Column<Row>[], rows: Row[], write: WriteValue): Promise<Blob> {
  const { unparse } = (await import("papaparse")).default;
  const written = columns.filter(({ csv }) => csv);
  const data = rows.map((row) => written.map(({ csv }) => csvCell(write(csv!(row)))));
  const text = unparse({ fields: written.map(({ title }) => csvCell(title)), data }, { quotes: csvQuotes });
  return new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" });
}
