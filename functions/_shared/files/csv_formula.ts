/**
 * Text that a spreadsheet would evaluate as a formula, including full-width signs and leading white space. A number with a sign is none: a
 * negative amount, or a phone number to which a bank or Alipay pays, must not be changed.
 */
export const CSV_FORMULA = /^(?![-+]\d+(?:\.\d+)?$)\s*[=+\-@＝＋－＠]/u;
