/** The width of a text on a terminal, in columns. A Chinese character takes two. */
const width = (text: string) =>
  [...text].reduce((sum, character) => sum + (/[\u2e80-\uffee]/.test(character) ? 2 : 1), 0);
const pad = (text: string, to: number, right: boolean) =>
  right ? " ".repeat(to - width(text)) + text : text + " ".repeat(to - width(text));

/**
 * Prints a table.
 * @param rightFrom the index of the first right-aligned column
 */
export function printTable(header: string[], rows: string[][], rightFrom = header.length): void {
  const widths = header.map((title, column) => Math.max(width(title), ...rows.map((row) => width(row[column] ?? ""))));
  for (const row of [header, ...rows]) {
    console.log(
      `  ${row.map((cell, column) => pad(cell, widths[column] as number, column >= rightFrom)).join("  ")}`.trimEnd(),
    );
  }
}
