// The arithmetic of the rules. Division of bigints truncates towards zero, like the rounding of the store.

/** Cents of commission for a base in cents at a ratio in 1/100000. */
export function commissionOf(base: bigint, ratio: bigint): bigint {
  return (base * ratio) / 100_000n;
}

/** Points (1/10000) that come with a commission in cents, at a rate in 1/10000 points per 1.00. */
export function pointsOfCommission(commission: bigint, pointsPerBrokerage: bigint): bigint {
  return (commission * pointsPerBrokerage) / 100n;
}

/** What is left of an amount of money (in cents) or of points (in 1/10000) for `quantity` units. */
export function amountLeft(amount: bigint, quantity: number, unitsLeft: number): bigint {
  return (amount * BigInt(unitsLeft)) / BigInt(quantity);
}

/** An amount of a line that was paid back while its goods were kept, when this many of its units were left. */
export interface Concession {
  amount: bigint;
  unitsLeft: number;
}

/**
 * What is left of what was paid for a line: n x (p / q - a1 / m1 - a2 / m2 ...), exactly, and rounded down once. Of n
 * units left of q that cost p, each concession a was granted when m units were left, so each of those units costs a / m
 * less.
 */
export function paidLeft(
  paid: bigint,
  quantity: number,
  unitsLeft: number,
  concessions: readonly Concession[],
): bigint {
  let [numerator, denominator] = [paid, BigInt(quantity)];
  for (const { amount, unitsLeft: units } of concessions) {
    numerator = numerator * BigInt(units) - amount * denominator;
    denominator *= BigInt(units);
  }
  return (numerator * BigInt(unitsLeft)) / denominator;
}

/** The release of one day for a frozen balance (both in 1/10000): 0.0004 of it. */
export function releaseOf(frozen: bigint): bigint {
  return (frozen * 4n) / 10_000n;
}

/**
 * Points per unit for a chain of members, nearest first: direct points for the first, then what each one's umbrella
 * points exceed those of everybody below them in the chain.
 */
export function levelShares(
  chain: { directPoints: bigint; umbrellaPoints: bigint }[],
): { perUnit: bigint; passedOn: bigint | null }[] {
  let passedOn = 0n;
  return chain.map((level, index) => {
    const difference = level.umbrellaPoints - passedOn;
    const share =
      index === 0
        ? { perUnit: level.directPoints, passedOn: null }
        : { perUnit: difference > 0n ? difference : 0n, passedOn };
    if (difference > 0n) passedOn = level.umbrellaPoints;
    return share;
  });
}

/** Cents that points (in 1/10000) pay at a rate in 1/100 points for 1.00. */
export function moneyOfPoints(points: bigint, rate: bigint): bigint {
  return points / rate;
}

/** Spreads an amount over prices in proportion to them: the differences of the running sums, each rounded down. */
export function spread(amount: bigint, prices: bigint[]): bigint[] {
  const whole = prices.reduce((sum, price) => sum + price, 0n);
  const upTo = (count: number) => (amount * prices.slice(0, count).reduce((sum, price) => sum + price, 0n)) / whole;
  return prices.map((_, index) => upTo(index + 1) - upTo(index));
}
