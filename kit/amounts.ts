// Exact amounts: integers in their smallest unit. Division of bigints truncates, as every rule rounds: down, towards
// zero.

/** The decimals of money, points and ratios. */
export const decimals = { money: 2, points: 4, ratio: 5 } as const;
export type Unit = keyof typeof decimals;

/** @param text a decimal such as "-7200.5" with at most the decimals of its unit */
export function read(text: string, unit: Unit): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(decimals[unit], "0"));
}

/** Money as "7200.00"; points and ratios without the zeros at their end. */
export function write(amount: bigint, unit: Unit): string {
  const text = format(amount, decimals[unit]);
  return unit === "money" ? text : text.replace(/\.?0+$/, "");
}

/** An amount with all of so many decimals: "-0.50". */
export function format(amount: bigint, places: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(places + 1, "0");
  return `${amount < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

export const least = (...amounts: bigint[]): bigint => amounts.reduce((one, other) => (other < one ? other : one));
export const sum = (amounts: bigint[]): bigint => amounts.reduce((one, other) => one + other, 0n);

/** Spreads an amount in proportion to other ones: the differences of the running sums, each rounded down. */
export function spread(amount: bigint, wholes: bigint[]): bigint[] {
  const whole = sum(wholes);
  let upTo = 0n;
  let before = 0n;
  return wholes.map((each) => {
    upTo += each;
    const part = (amount * upTo) / whole - before;
    before += part;
    return part;
  });
}
