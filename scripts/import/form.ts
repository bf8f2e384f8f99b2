import type { Columns, CsvRecord } from "./csv_file.ts";

/** A row of a staging table: the line of the file that it comes from, and its values by column. */
export interface StagedRow {
  table: string;
  line: number;
  values: Record<string, string | null>;
}

/** Says that a column of the record has something that cannot be imported. */
export type Report = (column: string, finding: string) => void;

/** How one file of a form is read. */
export interface FormFile {
  /** The name in the folder. */
  name: string;
  isRequired: boolean;
  columns: Columns;
  /** The staging table that most of its rows go to. */
  table: string;
  /** @returns the staged rows of a record, usually one */
  rows(record: CsvRecord, report: Report): StagedRow[];
}

/** The format of a folder of CSV files. */
export interface Form {
  name: "neutral" | "crmeb";
  /** In the order in which they are read. */
  files: FormFile[];
  /**
   * Where a finding of the database is: its file, if the form has one of another name, and the column, if it has another name there.
   * @param place the staging table and column
   */
  origin(place: { table: string; column: string }): { file: string; column: string };
}
