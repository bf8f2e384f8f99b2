/** Amounts are integers in their smallest unit, so all arithmetic is exact. */
export const MONEY_DECIMALS = 2;
export const POINTS_DECIMALS = 4;
export const RATIO_DECIMALS = 5;

/** @param text a decimal such as "7200.00" with at most `decimals` decimals */
function parseAmount(text: string, decimals: number): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** Formats a number like Postgres: "-0.50", "7200.00". */
export function formatAmount(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  return `${amount < 0n ? "-" : ""}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

export const money = (text: string) => parseAmount(text, MONEY_DECIMALS);
export const points = (text: string) => parseAmount(text, POINTS_DECIMALS);
export const ratio = (text: string) => parseAmount(text, RATIO_DECIMALS);
