import type { ReactNode } from "react";

/** The value of a cell in a spreadsheet. Times and days are in the format of the API. */
export type CsvValue = string | number | boolean | null | undefined;

/** One column. */
export interface Column<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** The content of the column header, if it is not the title. */
  head?: ReactNode;
  /** In pixels, in a list. The columns share what is left of a line. */
  width?: number;
  /** Amounts are aligned right. */
  align?: "right";
  /** Whether the exported texts are amounts, which are numbers in a workbook. */
  isAmount?: true;
  /**
   * Whether a click on the row follows the link in this column. Without such a column, it follows the link in the
   * first.
   */
  opens?: true;
  /** Whether it has nothing but a control, and does not belong on paper. */
  isControl?: true;
  /** Whether it is too much for a line, and shown when the row is opened. */
  isDetail?: true;
  /** Whether it is in exported files only, because the table shows its value in the cell of another column. */
  isFileOnly?: true;
  /** The sort key of the API, if the column can be sorted. */
  sort?: string;
  /** Whether a higher value is a later one: a time, or a number that counts up. */
  isTime?: true;
  /** Which rows a list leaves out that is sorted by this column. */
  sortNote?: string;
  /** The exported value. A column without it, such as a column of buttons, is not exported. */
  csv?: (row: Row) => CsvValue;
}
