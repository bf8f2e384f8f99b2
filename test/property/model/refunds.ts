import type { RefundLines } from "./actions.ts";
import { rejectArchived } from "./archive.ts";
import { formatAmount, MONEY_DECIMALS } from "./amounts.ts";
import { asMoney, asPoints } from "./events.ts";
import { amountLeft, commissionOf, pointsOfCommission } from "./rules.ts";
import { bookPoints } from "./orders.ts";
import type { Grant, Order, Refund, Units } from "./state.ts";
import { hasQueueGoods, isPaid, queueBase, queueUnits, reject, type Store } from "./store.ts";
import { settle } from "./settlement.ts";

export function requestRefund(store: Store, number: number, lines: RefundLines): void {
  const order = paidOrder(store, number);
  if (openRequest(order)) reject("refund_state_conflict");
  const units = checkedUnits(order, lines);
  order.refunds.push({
    state: "requested",
    namesUnits: false,
    ref: null,
    units,
    amount: costOf(order, units),
    points: pointsOf(order, units),
  });
  tellState(store, number, order.refunds.at(-1)!);
}

export function refuseRefund(store: Store, number: number): void {
  const request = openRequest(paidOrder(store, number)) ?? reject("refund_not_found");
  request.state = "refused";
  tellState(store, number, request);
}

function tellState(store: Store, number: number, refund: Refund): void {
  const { buyer, refunds } = store.order(number);
  const payload = { refund_id: refunds.indexOf(refund) + 1, amount: asMoney(refund.amount), points: asPoints(refund.points) };
  store.tell(`refund.${refund.state}`, number, buyer, payload);
}

/** Refunds the named units, else those of the open request, else all that is left. */
export function refund(store: Store, number: number, lines: RefundLines, ref: string | null): void {
  const order = paidOrder(store, number);
  const before = ref === null ? undefined : order.refunds.find((refund) => refund.ref === ref);
  if (before) {
    const isSame = lines === null ? !before.namesUnits : areSame(lines, before.units);
    return isSame ? undefined : reject("refund_reference_used");
  }
  const request = openRequest(order);
  const units = lines === null && request ? request.units : checkedUnits(order, lines);
  if (store.broken.includes(number) && !order.settlement && leavesNoQueueGoods(order, units)) reject("settlement_is_broken");

  if (request && lines === null) {
    request.state = "refunded";
    request.ref = ref;
  } else {
    // A refund of named units refuses an open request.
    if (request) {
      request.state = "refused";
      tellState(store, number, request);
    }
    order.refunds.push({
      state: "refunded",
      namesUnits: lines !== null,
      ref,
      units,
      amount: costOf(order, units),
      points: pointsOf(order, units),
    });
  }
  const completed = request && lines === null ? request : order.refunds.at(-1)!;
  tellState(store, number, completed);
  bookPoints(store, number, pointsOf(order, units));
  for (const { line, quantity } of units) {
    order.lines[line - 1]!.unitsLeft -= quantity;
    // The units of a shipped order do not return to the stock.
    if (order.state === "paid") store.addToStock(order.lines[line - 1]!.product, quantity);
  }
  if (order.settlement) reverseGrants(store, number, completed);
  if (order.settlement && queueBase(order) === 0n) freePlace(store, number);
  if (!order.settlement && hasQueueGoods(order) && queueUnits(order) === 0) settle(store, number);
}

/** Reduces every grant of the order to what the rest of it should have paid, at the same place, ratio and levels. */
function reverseGrants(store: Store, number: number, refund: Refund): void {
  const order = store.order(number);
  for (const grant of order.grants) {
    const { basis, amount } = whatIsLeft(order, grant);
    const excess = grant.remaining - amount;
    const { frozen } = store.member(grant.member);
    const fromFrozen = excess < frozen ? excess : frozen;
    const isMoney = grant.kind === "commission";
    const original = store.member(grant.member).bill[grant.billPosition - 1]!;
    store.book(grant.member, {
      ...original,
      type: isMoney ? "brokerage_reversal" : "frozen_points_reversal",
      brokerage: isMoney ? -excess : 0n,
      frozen: isMoney ? 0n : -fromFrozen,
      available: isMoney ? 0n : fromFrozen - excess,
      basis,
      passedOn: null,
      reverses: grant.billPosition,
    });
    if (isMoney && excess > 0n)
      store.tell("commission.reversed", number, grant.member, { amount: asMoney(excess) }, `refund ${order.refunds.indexOf(refund) + 1}`);
    grant.remaining = amount;
  }
}

function whatIsLeft(order: Order, grant: Grant): { basis: string; amount: bigint } {
  const base = queueBase(order);
  const units = base === 0n ? 0 : queueUnits(order);
  const commission = commissionOf(base, order.settlement!.rate ?? 0n);
  switch (grant.kind) {
    case "commission":
      return { basis: formatAmount(base, MONEY_DECIMALS), amount: commission };
    case "commission_points":
      return { basis: formatAmount(commission, MONEY_DECIMALS), amount: pointsOfCommission(commission, grant.rate) };
    case "level_points":
      return { basis: units.toString(), amount: grant.rate * BigInt(units) };
  }
}

/** Completed cycles stay completed: their places never become free again. */
function freePlace(store: Store, number: number): void {
  const settlement = store.order(number).settlement!;
  if (settlement.earner === 0 || settlement.placeIsFreed) return;
  const cycle = store.member(settlement.earner).cycles[settlement.cycleNo! - 1]!;
  if (cycle.isClosed) return;
  cycle.places[settlement.place! - 1] = null;
  settlement.placeIsFreed = true;
}

function paidOrder(store: Store, number: number): Order {
  const order = store.order(number);
  if (!isPaid(order)) reject("order_state_conflict");
  rejectArchived(store, order);
  return order;
}

function leavesNoQueueGoods(order: Order, units: Units): boolean {
  const refunded = units.filter(({ line }) => order.lines[line - 1]!.isQueueGoods).reduce((sum, { quantity }) => sum + quantity, 0);
  return hasQueueGoods(order) && queueUnits(order) === refunded;
}

function openRequest(order: Order): Refund | undefined {
  return order.refunds.find((refund) => refund.state === "requested");
}

function checkedUnits(order: Order, lines: RefundLines): Units {
  if (lines === null) {
    const all = order.lines.map((line, index) => ({ line: index + 1, quantity: line.unitsLeft })).filter(({ quantity }) => quantity > 0);
    return all.length > 0 ? all : reject("refund_exceeds_order");
  }
  if (lines.length === 0 || lines.some(({ quantity }) => quantity < 1)) reject("invalid_argument");
  if (new Set(lines.map(({ line }) => line)).size < lines.length) reject("invalid_argument");
  if (lines.some(({ line, quantity }) => quantity > (order.lines[line - 1]?.unitsLeft ?? 0))) reject("refund_exceeds_order");
  return lines;
}

function costOf(order: Order, units: Units): bigint {
  return units.reduce((sum, { line, quantity }) => {
    const { paid, quantity: bought, unitsLeft } = order.lines[line - 1]!;
    return sum + amountLeft(paid, bought, unitsLeft) - amountLeft(paid, bought, unitsLeft - quantity);
  }, 0n);
}

/** The points that the units return to the buyer. */
function pointsOf(order: Order, units: Units): bigint {
  return units.reduce((sum, { line, quantity }) => {
    const { points, quantity: bought, unitsLeft } = order.lines[line - 1]!;
    return sum + amountLeft(points, bought, unitsLeft) - amountLeft(points, bought, unitsLeft - quantity);
  }, 0n);
}

function areSame(some: Units, others: Units): boolean {
  const text = (units: Units) =>
    units
      .map(({ line, quantity }) => `${line}:${quantity}`)
      .sort()
      .join();
  return text(some) === text(others);
}
