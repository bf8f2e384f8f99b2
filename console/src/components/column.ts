import type { ReactNode } from "react";

/** What a cell is in a spreadsheet. Times and days as the store sends them. */
export type CsvValue = string | number | boolean | null | undefined;

/** One column. */
export interface Column<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Amounts are aligned at their end. */
  align?: "right";
  /** The name by which the store sorts, where it does. */
  sort?: string;
  /** What an export writes. A column without it, such as one of buttons, is not exported. */
  csv?: (row: Row) => CsvValue;
}
