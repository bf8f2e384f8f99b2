// What is left of an order, and what it counts for.
import { least, spread, sum } from "../amounts.ts";

export interface Line {
  isQueueGoods: boolean;
  units: number;
  /** The units that are not refunded. */
  left: number;
  /** In cents, after discount and points. */
  paid: bigint;
  /** The points that paid for it. */
  points: bigint;
  /** Amounts that were paid back while the goods were kept, with the units that were left then. */
  concessions: { amount: bigint; left: number }[];
}

/** Units of a line. Lines are numbered from 1. */
export interface Units {
  line: number;
  units: number;
}

/** A request with its answer, or a refund that nobody has asked for. */
export interface Refund {
  state: "requested" | "refunded" | "partly_refunded" | "refused" | "taken_back";
  /** What a request asks for. */
  asked: Units[];
}

/** What the rules look at of an order. Times are in milliseconds. */
export interface Order {
  lines: Line[];
  paidAt: number | null;
  receivedAt: number | null;
  /** Whether the base was below the minimum of the plan when it was paid. */
  isBelowMinimum: boolean;
  refunds: Refund[];
  /** refunded: nothing was left of it when it was settled. */
  settlement: { state: "settled" | "refunded"; settledAt: number } | null;
}

/**
 * The money that points pay of each line: whole cents for what is no queue goods, spread by price, and at most a share
 * of it.
 * @param rate points in 1/100 for 1.00
 * @param maxShare in 1/100000
 */
export function paidByPoints(lines: Line[], points: bigint, rate: bigint, maxShare: bigint): bigint[] {
  const prices = lines.map(({ isQueueGoods, paid }) => (isQueueGoods ? 0n : paid));
  const money = least(points / rate, (sum(prices) * maxShare) / 100_000n);
  return money > 0n ? spread(money, prices) : prices.map(() => 0n);
}

/**
 * What is left of the money that was paid for a line if so many of its units are: n x (p / q - a1 / m1 - a2 / m2 ...),
 * exactly, and rounded down once. Of q units that cost p, each concession a was granted when m units were left, so each
 * of those costs a / m less.
 */
export function paidLeft({ paid, units, concessions }: Line, left: number): bigint {
  let [numerator, denominator] = [paid, BigInt(units)];
  for (const { amount, left: shared } of concessions) {
    numerator = numerator * BigInt(shared) - amount * denominator;
    denominator *= BigInt(shared);
  }
  return (numerator * BigInt(left)) / denominator;
}

export const moneyLeft = (lines: Line[]): bigint => sum(lines.map((line) => paidLeft(line, line.left)));

/** What is left of the points that paid for an order. Only units return points. */
export const pointsLeft = (lines: Line[]): bigint =>
  sum(lines.map(({ points, units, left }) => (points * BigInt(left)) / BigInt(units)));

const queueLines = (lines: Line[]) => lines.filter(({ isQueueGoods }) => isQueueGoods);
/** What was paid for the queue goods that are left (R1). */
export const baseOf = (lines: Line[]): bigint => moneyLeft(queueLines(lines));
/** The units of queue goods that are left. */
export const unitsOf = (lines: Line[]): number => queueLines(lines).reduce((units, { left }) => units + left, 0);
export const hasQueueGoods = (lines: Line[]): boolean => queueLines(lines).length > 0;
export const isRefundedWhole = (lines: Line[]): boolean => lines.every(({ left }) => left === 0);

export const isBelowMinimum = (lines: Line[], minimumBase: bigint): boolean =>
  hasQueueGoods(lines) && baseOf(lines) < minimumBase;

export const openRequest = <Asked extends Refund>({ refunds }: { refunds: Asked[] }): Asked | undefined =>
  refunds.find(({ state }) => state === "requested");

/** A reported order: paid, with queue goods of which something is left, and not below the minimum (R4). */
export const isReported = (order: Order): boolean =>
  order.paidAt !== null && !order.isBelowMinimum && unitsOf(order.lines) > 0;

/** Whether it counts for the tasks of those above its buyer: not while a refund of it is asked for (R8). */
export const isCounted = (order: Order): boolean =>
  order.settlement?.state === "settled" && isReported(order) && !openRequest(order);
