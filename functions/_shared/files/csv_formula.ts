/**
 * Where a spreadsheet would begin a formula: at the beginning of a text, and after a semicolon, a tab or a line end,
 * because a spreadsheet that separates by those divides a cell there, quoted or not. Full-width signs and leading white
 * space count. A number with a sign to the end is no formula: a negative amount, or a phone number to which a bank or
 * Alipay pays, must not be changed.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?![-+]\d+(?:\.\d+)?$)(?=\s*[=+\-@＝＋－＠])/gu;

/**
 * The value of a cell of a CSV file, of which no spreadsheet evaluates anything: an apostrophe makes a formula a text.
 */
export function csvCell<Value>(value: Value): Value | string {
  return typeof value === "string" ? value.replaceAll(FORMULA, "'") : value;
}

/** Which cells papaparse quotes beside those with commas, quotes and line ends. */
export const csvQuotes = (value: unknown): boolean => /^'|[;\t]/.test(String(value));
