// Requests for refunds and their answers: what is paid back, and what that takes from whom.
import { least, read, sum } from "./amounts.ts";
import type { Event } from "./format.ts";
import {
  baseOf,
  type Booked,
  hasQueueGoods,
  type History,
  openRequest,
  type Order,
  paidLeft,
  pointsLeft,
  type Refund,
  unitsOf,
} from "./history.ts";
import { giveBack, giveUp } from "./leave.ts";
import { refuseIf } from "./refused.ts";
import { andRaise, settle } from "./settle.ts";

const DAY = 86_400_000;

type Named = Omit<Extract<Event, { do: "refund" }>, "at" | "do" | "order" | "refused">;

/** What is paid back of a line: units, or an amount. */
interface Part {
  line: number;
  units: number;
  amount: bigint;
}

/** Possible from the payment until some days after the receipt. While it is open, the order does not count (R8). */
export function request(history: History, order: Order, lines: { line: number; units: number }[] | undefined): void {
  const isOver =
    order.receivedAt !== null && order.receivedAt + history.start.terms.refund_window_days * DAY <= history.now;
  refuseIf(order.paidAt === null || isOver || openRequest(order) !== undefined);
  const asked = unitParts(order, lines ?? unitsLeft(order));
  refuseIf(asked.length === 0);
  order.refunds.push({
    state: "requested",
    asked: new Map(asked.map(({ line, units }) => [line, units])),
    paidBack: 0n,
  });
}

export function endRequest(history: History, order: Order, state: "refused" | "taken_back"): void {
  const open = openRequest(order);
  refuseIf(open === undefined);
  andRaise(history, order.buyer, () => {
    open!.state = state;
  });
}

/**
 * Each grant is computed again for what is left, at the same place, rate and levels. What is too much is taken back.
 */
export function refund(history: History, order: Order, named: Named): void {
  refuseIf(order.paidAt === null || (named.answers_request === true && openRequest(order) === undefined));
  const parts = partsOf(order, named);
  // Of an amount, freight is paid back only where it is named.
  const freight = freightOf(order, parts, named.freight ?? (named.amount && "0.00"));
  refuseIf(parts.length === 0 && freight === 0n);
  const moneyLeft = () => sum(order.lines.map((line) => paidLeft(line, line.left)));
  const returned = () => sum(order.lines.map(pointsLeft));
  const [moneyBefore, pointsBefore] = [moneyLeft(), returned()];
  andRaise(history, order.buyer, () => {
    const completed = answer(order, parts, named.answers_request);
    for (const part of parts) take(order, part);
    order.freightLeft -= freight;
    completed.paidBack = moneyBefore - moneyLeft() + freight;
    const row = {
      member: order.buyer,
      type: "points_returned" as const,
      source: undefined,
      order,
      money: 0n,
      frozen: 0n,
    };
    history.book({ ...row, available: pointsBefore - returned() });
    giveUp(history, order.buyer);
    reverseAll(history, order);
    endExhausted(order);
  });
  if (order.settled && baseOf(order) === 0n) freePlace(history, order);
  if (!order.settled && hasQueueGoods(order) && unitsOf(order) === 0) settle(history, order);
}

const unitsLeft = ({ lines }: Order) =>
  lines.map(({ left }, index) => ({ line: index + 1, units: left })).filter(({ units }) => units > 0);

function unitParts(order: Order, lines: { line: number; units: number }[]): Part[] {
  refuseIf(lines.some(({ line, units }) => units > (order.lines[line - 1]?.left ?? 0)));
  return lines.map((each) => ({ ...each, amount: 0n }));
}

/** What is named; else what is left of what the open request asks for, or of the order. */
function partsOf(order: Order, { lines, amount, answers_request: answers }: Named): Part[] {
  if (amount !== undefined) return share(order, read(amount, "money"));
  if (lines)
    return lines.flatMap((each) =>
      "units" in each ? unitParts(order, [each]) : concede(order, each.line, read(each.amount, "money")),
    );
  return unitParts(order, (answers === false ? undefined : stillAsked(order)) ?? unitsLeft(order));
}

/** What is left of what the open request asks for. */
function stillAsked(order: Order): { line: number; units: number }[] | undefined {
  const asked = openRequest(order)?.asked;
  return (
    asked &&
    unitsLeft(order).flatMap(({ line, units }) =>
      asked.has(line) ? [{ line, units: Math.min(units, asked.get(line)!) }] : [],
    )
  );
}

/** A cent of queue goods is left, so that an order that was paid back does not keep its units. */
function concede(order: Order, number: number, amount: bigint): Part[] {
  const line = order.lines[number - 1];
  refuseIf(amount <= 0n || !line || amount > paidLeft(line, line.left) - (line.isQueueGoods ? 1n : 0n));
  return [{ line: number, units: 0, amount }];
}

/**
 * Spread over what is left of the lines. Everything is all units. If a line of queue goods would keep no cent, it is
 * spread over what is left without the cents that these lines keep.
 */
function share(order: Order, amount: bigint): Part[] {
  const lefts = order.lines.map((line) => paidLeft(line, line.left));
  refuseIf(amount < 0n);
  if (amount === 0n) return [];
  if (amount === sum(lefts)) return unitParts(order, unitsLeft(order));
  const mosts = lefts.map((left, index) => (order.lines[index]!.isQueueGoods && left > 0n ? left - 1n : left));
  refuseIf(amount > sum(mosts));
  const parts = spread(amount, lefts);
  const fits = parts.every((part, index) => part <= mosts[index]!);
  return (fits ? parts : spread(amount, mosts)).flatMap((part, index) =>
    part > 0n ? concede(order, index + 1, part) : [],
  );
}

/** The differences of the running sums, each rounded down. */
function spread(amount: bigint, wholes: bigint[]): bigint[] {
  const upTo = (count: number) => (amount * sum(wholes.slice(0, count))) / sum(wholes);
  return wholes.map((_, index) => upTo(index + 1) - upTo(index));
}

/** If it is not named: what is left of it, with the last unit of an order that was not shipped. */
function freightOf(order: Order, parts: Part[], named: string | undefined): bigint {
  const units = parts.reduce((count, part) => count + part.units, 0);
  const isLast = units > 0 && order.lines.reduce((count, { left }) => count + left, 0) === units;
  const byDefault = isLast && !order.isShipped && order.receivedAt === null ? order.freightLeft : 0n;
  const freight = named === undefined ? byDefault : read(named, "money");
  refuseIf(freight > order.freightLeft);
  return freight;
}

/**
 * The open request, if the refund has units that it asks for, or is said to answer it by an amount; else a refund of
 * its own.
 */
function answer(order: Order, parts: Part[], answers: boolean | undefined): Refund {
  const open = openRequest(order);
  const unitsFor = (number: number) => parts.find(({ line }) => line === number)?.units ?? 0;
  const asked = [...(open?.asked ?? [])];
  const hasLine = parts.some(({ line, units }) => open?.asked.has(line) && (units > 0 || answers === true));
  if (open && answers !== false && hasLine) {
    open.state = asked.every(([line, units]) => unitsFor(line) >= units) ? "refunded" : "partly_refunded";
    return open;
  }
  const own: Refund = { state: "refunded", asked: new Map(), paidBack: 0n };
  order.refunds.push(own);
  return own;
}

function take(order: Order, { line: number, units, amount }: Part): void {
  const line = order.lines[number - 1]!;
  if (amount > 0n) line.concessions.push({ amount, left: line.left });
  line.left -= units;
}

/** Other refunds have taken all that the open request asks for. */
function endExhausted(order: Order): void {
  if (stillAsked(order)?.length === 0) openRequest(order)!.state = "partly_refunded";
}

function reverseAll(history: History, order: Order): void {
  const excess = (grant: Booked) =>
    history.remaining(grant, grant.type === "brokerage" ? "money" : "points") - grant.target!();
  for (const member of new Set(order.grants.map((grant) => grant.member))) {
    const theirs = order.grants.filter((grant) => grant.member === member);
    const isMoney = (grant: Booked) => grant.type === "brokerage";
    giveBack(
      history,
      member,
      sum(theirs.filter(isMoney).map(excess)),
      sum(theirs.filter((grant) => !isMoney(grant)).map(excess)),
    );
  }
  for (const grant of order.grants) reverse(history, grant, excess(grant));
}

/** Points are taken from the frozen ones first. Money and available points may become negative. */
function reverse(history: History, grant: Booked, excess: bigint): void {
  const isMoney = grant.type === "brokerage";
  const frozen = isMoney ? 0n : least(excess, history.balance(grant.member, "frozen"));
  history.book({
    member: grant.member,
    type: isMoney ? "brokerage_reversal" : "frozen_points_reversal",
    source: grant.source,
    order: grant.order,
    money: isMoney ? -excess : 0n,
    frozen: -frozen,
    available: isMoney ? 0n : frozen - excess,
    reverses: grant,
  });
}

/** A place of an open cycle becomes free. A cycle that was full stays closed. */
function freePlace(history: History, order: Order): void {
  const { earner, cycle, plan, isFreed } = order.settled!;
  if (earner === null || isFreed) return;
  if (history.taken(earner, cycle!).length < plan!.people_per_cycle) order.settled!.isFreed = true;
}
