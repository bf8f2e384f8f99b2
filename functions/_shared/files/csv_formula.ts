/** Text that a spreadsheet would evaluate as a formula, including full-width signs and leading white space. A negative amount is not a formula. */
export const CSV_FORMULA = /^(?!-\d+(?:\.\d+)?$)\s*[=+\-@＝＋－＠]/u;
