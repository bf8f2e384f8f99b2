// Requests for refunds and their answers: what is paid back, and what that takes from whom.
import { read, sum } from "./amounts.ts";
import type { Event } from "./format.ts";
import type { GrantRow, History, Order } from "./history.ts";
import { giveBack, giveUp } from "./leave.ts";
import { refuseIf } from "./refused.ts";
import { takenBack } from "./rules/balances.ts";
import { baseOf, hasQueueGoods, moneyLeft, openRequest, pointsLeft, type Units, unitsOf } from "./rules/orders.ts";
import {
  answerTo,
  defaultFreight,
  defaultUnits,
  exceedsLeft,
  isWindowOver,
  leftOf,
  mostConceded,
  type Part,
  partsOf,
  shareOut,
  unitsLeft,
  without,
} from "./rules/refunds.ts";
import { amountOf, basisOf, isFull } from "./rules/settlement.ts";
import { andRaise, settle } from "./settle.ts";

type Named = Omit<Extract<Event, { do: "refund" }>, "at" | "do" | "order" | "refused">;

/** Possible from the payment until some days after the receipt. While it is open, the order does not count (R8). */
export function request(history: History, order: Order, lines: Units[] | undefined): void {
  const isOver = isWindowOver(order, history.start.terms.refund_window_days, history.now);
  refuseIf(order.paidAt === null || isOver || openRequest(order) !== undefined);
  const asked = lines ?? unitsLeft(order.lines);
  refuseIf(asked.length === 0 || exceedsLeft(order.lines, asked));
  order.refunds.push({ state: "requested", asked, paidBack: 0n });
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
  const parts = partsNamed(order, named);
  const freight = freightOf(order, parts, named);
  refuseIf(parts.length === 0 && freight === 0n);
  andRaise(history, order.buyer, () => {
    const before = order.lines;
    const completed = answer(order, parts, named.answers_request);
    order.lines = without(before, parts);
    order.freightLeft -= freight;
    completed.paidBack = moneyLeft(before) - moneyLeft(order.lines) + freight;
    bookPoints(history, order, pointsLeft(before) - pointsLeft(order.lines));
    giveUp(history, order.buyer);
    reverseAll(history, order);
    endExhausted(order);
  });
  if (order.settlement && baseOf(order.lines) === 0n) freePlace(history, order);
  if (!order.settlement && hasQueueGoods(order.lines) && unitsOf(order.lines) === 0) settle(history, order);
}

/** Points that an order takes (negative) or returns. */
export function bookPoints(history: History, order: Order, available: bigint): void {
  const type = available < 0n ? "points_spent" : "points_returned";
  history.book({ member: order.buyer, type, source: undefined, order, money: 0n, frozen: 0n, available });
}

/** What is named; else what is left of what the open request asks for, or of the order. */
function partsNamed(order: Order, { lines, amount, answers_request: answers }: Named): Part[] {
  if (amount !== undefined) {
    const shares = shareOut(order.lines, read(amount, "money"));
    refuseIf(shares === undefined);
    return shares!;
  }
  if (!lines) return partsOf(defaultUnits(order, answers));
  const parts = lines.map((each) =>
    "units" in each ? { ...each, amount: 0n } : { line: each.line, units: 0, amount: read(each.amount, "money") },
  );
  refuseIf(exceedsLeft(order.lines, parts));
  refuseIf(parts.some((part) => part.units === 0 && !canBeConceded(order, part)));
  return parts;
}

function canBeConceded(order: Order, { line: number, amount }: Part): boolean {
  const line = order.lines[number - 1];
  return line !== undefined && amount > 0n && amount <= mostConceded(line);
}

/** Of an amount, freight is paid back only where it is named. */
function freightOf(order: Order, parts: Part[], { amount, freight: named }: Named): bigint {
  const { freightLeft, isShipped, receivedAt } = order;
  const byDefault =
    amount === undefined ? defaultFreight(order.lines, parts, freightLeft, isShipped || receivedAt !== null) : 0n;
  const freight = named === undefined ? byDefault : read(named, "money");
  refuseIf(freight > freightLeft);
  return freight;
}

/** The open request, or a refund of its own. */
function answer(order: Order, parts: Part[], answers: boolean | undefined): Order["refunds"][number] {
  const open = openRequest(order);
  const state = open && answerTo(open.asked, parts, answers);
  if (state) return Object.assign(open, { state });
  const own = { state: "refunded" as const, asked: [], paidBack: 0n };
  order.refunds.push(own);
  return own;
}

/** Other refunds have taken all that the open request asks for. */
function endExhausted(order: Order): void {
  const open = openRequest(order);
  if (open && leftOf(order.lines, open.asked).length === 0) open.state = "partly_refunded";
}

const isMoney = ({ grant }: GrantRow) => grant.kind === "commission";

function reverseAll(history: History, order: Order): void {
  const excess = (row: GrantRow) =>
    history.remaining(row, isMoney(row) ? "money" : "points") -
    amountOf(row.grant, basisOf(row.grant.kind, order.lines, order.settlement!.rate));
  for (const member of new Set(order.grants.map((grant) => grant.member))) {
    const theirs = order.grants.filter((grant) => grant.member === member);
    const points = theirs.filter((grant) => !isMoney(grant));
    giveBack(history, member, {
      money: sum(theirs.filter(isMoney).map(excess)),
      points: sum(points.map(excess)),
    });
  }
  for (const row of order.grants)
    history.book({
      ...{ member: row.member, source: row.source, order, reverses: row },
      type: isMoney(row) ? "brokerage_reversal" : "frozen_points_reversal",
      ...takenBack(isMoney(row), excess(row), history.balance(row.member, "frozen")),
    });
}

/** A place of an open cycle becomes free. A cycle that was full stays closed. */
function freePlace(history: History, order: Order): void {
  const settlement = order.settlement!;
  const { earner, cycle, plan, placeIsFreed } = settlement;
  if (earner === null || placeIsFreed) return;
  settlement.placeIsFreed = !isFull({ plan: plan!, taken: history.taken(earner, cycle!) });
}
