// What becomes of the balances of a member: holds, the release, what refunds take back, and what who leaves gives up.
import { least, sum } from "../amounts.ts";
import { DAY } from "./days.ts";
import { openRequest, type Order } from "./orders.ts";

export interface Balances {
  money: bigint;
  frozen: bigint;
  available: bigint;
}

/** Commission of an order that is not taken back. */
export interface Commission {
  left: bigint;
  maturesAt: number;
  /** Whether the buyer waits for an answer about queue goods. */
  isInDoubt: boolean;
}

/** Once its order was received and settled, after the holding days of its plan. */
export const maturesAt = ({ receivedAt, settlement }: Order, holdingDays: number): number =>
  Math.max(receivedAt ?? Infinity, settlement!.settledAt) + holdingDays * DAY;

export const isInDoubt = (order: Order): boolean =>
  openRequest(order)?.asked.some(({ line }) => order.lines[line - 1]!.isQueueGoods) ?? false;

/**
 * What a member can withdraw: the balance less what is maturing and what open requests hold of the rest. Nothing of
 * those who left matures or is held: their balance is given up or owed as a whole.
 * @returns withdrawn: what requests hold that is not in the balance, but in a withdrawal
 */
export function accountOf(
  money: bigint,
  hasLeft: boolean,
  commissions: Commission[],
  now: number,
): Record<"maturing" | "held" | "withdrawn" | "withdrawable", bigint> {
  const sumOf = (some: Commission[]) => sum(some.map(({ left }) => left));
  const maturing = hasLeft ? 0n : sumOf(commissions.filter((each) => each.maturesAt > now));
  const inDoubt = sumOf(commissions.filter((each) => each.isInDoubt && each.maturesAt <= now));
  const matured = money - maturing;
  const held = hasLeft || matured <= 0n ? 0n : least(matured, inDoubt);
  return { maturing, held, withdrawn: inDoubt - held, withdrawable: matured - held };
}

/** 0.0004 of the frozen points (R11). */
export const releaseOf = (frozen: bigint): bigint => (frozen * 4n) / 10_000n;

/** What a missed day is released from: the lesser of the balances now and at its end. */
export const missedBase = (frozen: bigint, atItsEnd: bigint): bigint => least(frozen, atItsEnd);

/** What a refund takes back of a grant: points from the frozen ones first. Money and available points can be a debt. */
export function takenBack(isMoney: boolean, excess: bigint, frozen: bigint): Balances {
  if (isMoney) return { money: -excess, frozen: 0n, available: 0n };
  const fromFrozen = least(excess, frozen);
  return { money: 0n, frozen: -fromFrozen, available: fromFrozen - excess };
}

const BALANCES = ["money", "frozen", "available"] as const;
const ofEach = (amount: (of: keyof Balances) => bigint): Balances => ({
  money: amount("money"),
  frozen: amount("frozen"),
  available: amount("available"),
});

export const plus = (one: Balances, other: Balances): Balances => ofEach((of) => one[of] + other[of]);
export const minus = (balances: Balances): Balances => ofEach((of) => -balances[of]);

/** Who asked for the deletion of the account gives up all that they have. What they owe stays. */
export const givenUp = (balances: Balances): Balances => ofEach((of) => (balances[of] > 0n ? balances[of] : 0n));

/** Whether somebody who gave up what they had would get more than they owe. */
export const exceedsDebt = (balances: Balances, given: Balances): boolean =>
  BALANCES.some((of) => given[of] > 0n && balances[of] + given[of] > 0n);

/**
 * What a refund takes of what was given up is given back before: at most what is left of it. Frozen points are taken
 * first, those that they have got since, too.
 */
export function givenBack(given: Balances, frozen: bigint, taken: { money: bigint; points: bigint }): Balances {
  const fromFrozen = least(taken.points, frozen + given.frozen);
  return {
    money: least(taken.money, given.money),
    frozen: least(fromFrozen, given.frozen),
    available: least(taken.points - fromFrozen, given.available),
  };
}
