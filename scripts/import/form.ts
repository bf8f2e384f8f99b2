import type { Columns, CsvRecord, FileFinding } from "./csv_file.ts";

/** A row of a staging table: the line of the file that it comes from, and its values by column. */
export interface StagedRow {
  table: string;
  line: number;
  values: Record<string, string | null>;
}

/**
 * Says that a column of the record has something that cannot be imported or, as a warning, that is imported otherwise
 * than it may seem.
 */
export type Report = (column: string, finding: string, severity?: FileFinding["severity"]) => void;

/**
 * Something in a file that is not imported. One warning states it, with the sum of the amounts or the number of the
 * records.
 */
export interface LeftOut {
  column: string;
  isIn(record: CsvRecord): boolean;
  isAmount?: boolean;
  finding: string;
}

/** How one file of a form is read. */
export interface FormFile {
  /** The name in the folder. */
  name: string;
  isRequired: boolean;
  columns: Columns;
  /** The staging table that most of its rows go to. */
  table: string;
  leftOut?: LeftOut[];
  /** What is not known without an optional file: a warning if it is missing. */
  absence?: string;
  /** @returns the staged rows of a record, usually one */
  rows(record: CsvRecord, report: Report): StagedRow[];
}

/** The format of a folder of CSV files. */
export interface Form {
  name: "neutral" | "crmeb";
  /** In the order in which they are read. */
  files: FormFile[];
  /** @returns what only all files together show, after they were read */
  finish?(): FileFinding[];
  /**
   * Where a finding of the database is: its file, if the form has one of another name, and the column, if it has
   * another name there.
   * @param place the staging table and column
   */
  origin(place: { table: string; column: string }): { file: string; column: string };
}
