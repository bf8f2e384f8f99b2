import type { Cell } from "../../../../functions/_shared/files/workbook.ts";
import type { Column } from "./column.ts";
import type { WriteValue } from "./csv.ts";

const rowsOfAChunk = 1_000;
const amount = /^-?\d+(\.\d+)?$/;

/** Builds a workbook: a header row, amounts and counts as numbers, and everything else as text. */
export async function toXlsx<Row>(columns: Column<Row>[], rows: Row[], write: WriteValue): Promise<Blob> {
  const { workbook, XLSX } = await import("../../../../functions/_shared/files/workbook.ts");
  const written = columns.filter(({ csv }) => csv);
  const cellOf = ({ csv, isAmount }: Column<Row>, row: Row): Cell => {
    const value = write(csv!(row));
    return isAmount && typeof value === "string" && amount.test(value) ? { amount: value } : value;
  };
  async function* chunks(): AsyncGenerator<Cell[][], void> {
    yield [written.map(({ title }) => title)];
    for (let begin = 0; begin < rows.length; begin += rowsOfAChunk)
      yield rows.slice(begin, begin + rowsOfAChunk).map((row) => written.map((column) => cellOf(column, row)));
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of workbook(chunks())) parts.push(part);
  return new Blob(parts, { type: XLSX });
}
