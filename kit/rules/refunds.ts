// What a refund takes of an order, and which request it answers.
import { spread, sum } from "../amounts.ts";
import { DAY } from "./days.ts";
import { type Line, openRequest, type Order, paidLeft, type Units } from "./orders.ts";

/** What is paid back of a line: units, or an amount while the goods are kept. */
export interface Part extends Units {
  amount: bigint;
}

/** A buyer can ask until some days after the receipt. */
export const isWindowOver = ({ receivedAt }: Order, days: number, now: number): boolean =>
  receivedAt !== null && receivedAt + days * DAY <= now;

export const unitsLeft = (lines: Line[]): Units[] =>
  lines.map(({ left }, index) => ({ line: index + 1, units: left })).filter(({ units }) => units > 0);

/** What is left of the units that a request asks for. */
export const leftOf = (lines: Line[], asked: Units[]): Units[] =>
  asked
    .map(({ line, units }) => ({ line, units: Math.min(units, lines[line - 1]!.left) }))
    .filter(({ units }) => units > 0);

export const exceedsLeft = (lines: Line[], asked: Units[]): boolean =>
  asked.some(({ line, units }) => units > (lines[line - 1]?.left ?? 0));

export const partsOf = (units: Units[]): Part[] => units.map((each) => ({ ...each, amount: 0n }));

/**
 * What a refund takes that names nothing: what is left of what the open request asks for, unless it is no answer to it;
 * else of the order.
 */
export function defaultUnits(order: Order, answersRequest: boolean | undefined): Units[] {
  const open = answersRequest === false ? undefined : openRequest(order);
  return open ? leftOf(order.lines, open.asked) : unitsLeft(order.lines);
}

/**
 * The most that is paid back of a line while its goods are kept. A cent of queue goods is left, so that an order that
 * was paid back does not keep its units.
 */
export function mostConceded(line: Line): bigint {
  const left = paidLeft(line, line.left);
  return line.isQueueGoods && left > 0n ? left - 1n : left;
}

/**
 * Spreads an amount over what is left of the lines. All of it is all units. If a line of queue goods would keep no
 * cent, it is spread over what is left without the cents that these lines keep.
 * @returns undefined if it is negative, or more than can be paid back
 */
export function shareOut(lines: Line[], amount: bigint): Part[] | undefined {
  const lefts = lines.map((line) => paidLeft(line, line.left));
  const mosts = lines.map(mostConceded);
  if (amount === 0n) return [];
  if (amount === sum(lefts)) return partsOf(unitsLeft(lines));
  if (amount < 0n || amount > sum(mosts)) return undefined;
  const shares = spread(amount, lefts);
  const fits = shares.every((share, index) => share <= mosts[index]!);
  return (fits ? shares : spread(amount, mosts))
    .map((share, index) => ({ line: index + 1, units: 0, amount: share }))
    .filter((part) => part.amount > 0n);
}

/** The freight that is paid back if none is named: what is left of it, with the last unit before the shipment. */
export function defaultFreight(lines: Line[], parts: Part[], freightLeft: bigint, isSent: boolean): bigint {
  const unitsOf = (some: Units[]) => some.reduce((total, { units }) => total + units, 0);
  const isLast = unitsOf(parts) > 0 && unitsOf(parts) === unitsOf(unitsLeft(lines));
  return isLast && !isSent ? freightLeft : 0n;
}

/**
 * A refund answers the request if it has units that it asks for, or is said to answer it by an amount of such a line.
 * @returns the state of the request; undefined if the refund is no answer
 */
export function answerTo(
  asked: Units[],
  parts: Part[],
  answersRequest: boolean | undefined,
): "refunded" | "partly_refunded" | undefined {
  const partFor = (line: number) => parts.find((part) => part.line === line);
  const isAnswered = (part: Part | undefined) => part && (part.units > 0 || answersRequest === true);
  if (answersRequest === false || !asked.some(({ line }) => isAnswered(partFor(line)))) return undefined;
  return asked.every(({ line, units }) => (partFor(line)?.units ?? 0) >= units) ? "refunded" : "partly_refunded";
}

/** The lines without what is paid back of them. */
export function without<Kind extends Line>(lines: Kind[], parts: Part[]): Kind[] {
  const rest = lines.map((line) => ({ ...line }));
  for (const { line: number, units, amount } of parts) {
    const line = rest[number - 1]!;
    if (amount > 0n) line.concessions = [...line.concessions, { amount, left: line.left }];
    line.left -= units;
  }
  return rest;
}
