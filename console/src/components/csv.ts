import type { Column, CsvValue } from "./column.ts";

/** Writes a value as a spreadsheet shows it: times and days in the reader's format. */
export type WriteValue = (value: CsvValue) => string | number;

/** What a spreadsheet takes for a formula, in full width and behind white space, too; a negative amount is none. */
const formula = /^(?!-\d+(?:\.\d+)?$)\s*[=+\-@＝＋－＠]/u;

/** A file that spreadsheets open: the titles of the columns first, formulas made harmless, UTF-8 with its mark. */
export async function toCsv<Row>(columns: Column<Row>[], rows: Row[], write: WriteValue): Promise<Blob> {
  const { unparse } = (await import("papaparse")).default;
  const written = columns.filter(({ csv }) => csv);
  const data = rows.map((row) => written.map(({ csv }) => write(csv!(row))));
  const text = unparse({ fields: written.map(({ title }) => title), data }, { escapeFormulae: formula });
  return new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" });
}

/** Hands a file over to the browser. */
export function download(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
