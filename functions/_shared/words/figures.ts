// Amounts as people read them. Both languages write them alike, and not every phone has Intl in mini programs.

/** A number with its digits in groups: 1234567.5 becomes 1,234,567.5. */
function grouped(number: string): string {
  const [whole = "", decimals] = number.split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (decimals === undefined ? "" : `.${decimals}`);
}

/**
 * An amount of money, such as ¥1,234.50.
 * @param value its decimal digits, which are never converted to a floating-point number
 * @param plus stands before what is above zero
 */
export function formatMoney(value: string, plus = ""): string {
  if (value.startsWith("-")) return `-¥${grouped(value.slice(1))}`;
  return `${/[1-9]/.test(value) ? plus : ""}¥${grouped(value)}`;
}

/** A share of one as a percentage with at most three decimals, such as 12.5%. */
export const formatShare = (value: number) => `${formatNumber(Number((value * 100).toFixed(3)))}%`;

/** A number with at most four decimals, such as points. @param plus stands before what is above zero */
export function formatNumber(value: number, plus = ""): string {
  const digits = grouped(Math.abs(value).toFixed(4)).replace(/\.?0+$/, "");
  return `${value < 0 ? "-" : value > 0 ? plus : ""}${digits}`;
}
