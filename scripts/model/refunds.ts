import type { NamedRefund, RequestLines } from "./actions.ts";
import { asMoney, asPoints } from "./events.ts";
import { isHeld } from "./holds.ts";
import { forfeit } from "./leavers.ts";
import { bookPoints } from "./orders.ts";
import { checkedUnits, costOf, freightOf, leftToGrant, partsOf, pointsOf, unitsOf } from "./refund_amounts.ts";
import { freePlace, reverseGrants } from "./reversals.ts";
import { andRaise } from "./rises.ts";
import type { Order, Part, Refund, Units } from "./state.ts";
import { hasQueueGoods, isPaid, openRequest, queueBase, queueUnits, reject, type Store } from "./store.ts";
import { settle } from "./settlement.ts";
import { DAY } from "./time.ts";

export function requestRefund(store: Store, number: number, lines: RequestLines): void {
  const order = paidOrder(store, number);
  if (openRequest(order)) reject("refund_state_conflict");
  if (order.receivedAt !== null && order.receivedAt + store.refundWindow * DAY <= store.now)
    reject("refund_window_over");
  const asked = checkedUnits(order, lines);
  const isAfterSettlement = order.settlement !== null;
  const request: Refund = {
    state: "requested",
    named: "",
    ref: null,
    asked,
    isAfterSettlement,
    ...valueOfUnits(order, asked),
  };
  order.refunds.push(request);
  tellState(store, number, request);
  tellHold(store, number, "held", sourceOf(order, request));
}

/** An administrator refuses the open request, or the buyer takes it back. The order counts again. */
export function endRequest(store: Store, number: number, state: "refused" | "taken_back"): void {
  const order = paidOrder(store, number);
  const request = openRequest(order) ?? reject("refund_not_found");
  andRaise(store, number, () => {
    const wasHeld = isHeld(order) && request.isAfterSettlement;
    Object.assign(request, { state, ...valueOfUnits(order, leftToGrant(order, request.asked!)) });
    tellState(store, number, request);
    if (wasHeld) tellHold(store, number, "released", sourceOf(order, request));
    return sourceOf(order, request);
  });
}

function tellState(store: Store, number: number, refund: Refund): void {
  const { buyer, refunds } = store.order(number);
  const payload = {
    refund_id: refunds.indexOf(refund) + 1,
    amount: asMoney(refund.amount),
    points: asPoints(refund.points),
  };
  store.tell(`refund.${refund.state}`, number, buyer, payload);
}

/** Refunds what is named, else what the open request asks for, else all that is left. */
export function refund(store: Store, number: number, { ref, ...named }: NamedRefund & { ref: string | null }): void {
  const order = paidOrder(store, number);
  const text = textOf(named);
  const before = ref === null ? undefined : order.refunds.find((each) => each.ref === ref);
  if (before) return before.named === text ? undefined : reject("refund_reference_used");
  const parts = partsOf(order, named);
  if (named.answersRequest && !openRequest(order)) reject("refund_not_found");
  // Of an amount, freight is refunded only where it is named.
  const freight = freightOf(order, parts, named.freight ?? (named.amount === undefined ? undefined : "0"));
  if (parts.length === 0 && freight === 0n) reject("invalid_argument");
  if (store.broken.includes(number) && !order.settlement && leavesNoQueueGoods(order, parts))
    reject("settlement_is_broken");

  andRaise(store, number, () => {
    const wasHeld = isHeld(order) && openRequest(order)!.isAfterSettlement;
    const completed = complete(order, valueOf(order, parts, freight), named.answersRequest);
    Object.assign(completed, { ref, named: text });
    giveToBuyer(store, number, completed);
    reduceRequest(store, number);
    const source = sourceOf(order, completed);
    const reversed = order.settlement ? reverseGrants(store, number) : [];
    if (order.settlement && queueBase(order) === 0n) freePlace(store, number);
    forfeit(store, order.buyer);
    tellState(store, number, completed);
    for (const { member, amount } of reversed)
      store.tell("commission.reversed", number, member, { amount: asMoney(amount) }, source);
    if (wasHeld && !openRequest(order)) tellHold(store, number, "released", source);
    return source;
  });
  if (!order.settlement && hasQueueGoods(order) && queueUnits(order) === 0) settle(store, number);
}

/** A request holds what its order has paid, and its answer releases what is left of it: of what was told to be held. */
function tellHold(store: Store, number: number, what: "held" | "released", source: string): void {
  const order = store.order(number);
  const commission = order.grants.find(({ kind, remaining }) => kind === "commission" && remaining > 0n);
  // Who has left withdraws nothing, so nothing is held of them.
  if (!commission || store.member(commission.member).left || (what === "held" && !isHeld(order))) return;
  store.tell(`commission.${what}`, number, commission.member, { amount: asMoney(commission.remaining) }, source);
}

/** What a refund of units pays back, or would, with freight by default. */
function valueOfUnits(order: Order, units: Units): Pick<Refund, "parts" | "amount" | "freight" | "points"> {
  const parts = units.map((each) => ({ ...each, concession: 0n }));
  return valueOf(order, parts, freightOf(order, parts));
}

/** What a refund pays back, before its units are gone. */
function valueOf(
  order: Order,
  parts: Part[],
  freight: bigint,
): Pick<Refund, "parts" | "amount" | "freight" | "points"> {
  return { parts, amount: costOf(order, parts) + freight, freight, points: pointsOf(order, parts) };
}

/**
 * Makes a refund the answer to the open request if it has units that the request asks for, or the administrator says so
 * and it has an amount of such a line; not if they say that it is none. Otherwise it has a row of its own, and the
 * request stays open. @returns the row
 */
function complete(order: Order, value: ReturnType<typeof valueOf>, answersRequest: boolean | undefined): Refund {
  const request = openRequest(order);
  const asked = request?.asked ?? [];
  const unitsFor = (line: number) => value.parts.find((part) => part.line === line)?.quantity ?? 0;
  const hasLine = asked.some(({ line }) => value.parts.some((part) => part.line === line));
  const hasSome = asked.some(({ line }) => unitsFor(line) > 0) || (answersRequest === true && hasLine);
  const hasAll = asked.every(({ line, quantity }) => unitsFor(line) >= quantity);
  if (request && hasSome && (answersRequest ?? true))
    return Object.assign(request, value, { state: hasAll ? "refunded" : "partly_refunded" } as const);
  order.refunds.push({ state: "refunded", named: "", ref: null, asked: null, isAfterSettlement: false, ...value });
  return order.refunds.at(-1)!;
}

/** Points return to the buyer, and units of an order that was not shipped to the stock. */
function giveToBuyer(store: Store, number: number, { parts, points }: Refund): void {
  const order = store.order(number);
  bookPoints(store, number, points);
  for (const { line: lineNumber, quantity, concession } of parts) {
    const line = order.lines[lineNumber - 1]!;
    if (concession > 0n) line.concessions.push({ amount: concession, unitsLeft: line.unitsLeft });
    line.unitsLeft -= quantity;
    if (order.state === "paid") store.addToStock(line.product, quantity);
  }
}

/** A request that another refund leaves open asks for what is left of it. If nothing is, it was granted in part. */
function reduceRequest(store: Store, number: number): void {
  const order = store.order(number);
  const request = openRequest(order);
  if (!request) return;
  const left = leftToGrant(order, request.asked!);
  if (left.length > 0) {
    Object.assign(request, valueOfUnits(order, left));
    return;
  }
  Object.assign(request, { state: "partly_refunded", parts: [], amount: 0n, freight: 0n, points: 0n });
  tellState(store, number, request);
}

/** How events name a refund: by its position among those of its order. */
const sourceOf = (order: Order, refund: Refund) => `refund ${order.refunds.indexOf(refund) + 1}`;

function paidOrder(store: Store, number: number): Order {
  const order = store.order(number);
  if (!isPaid(order)) reject("order_state_conflict");
  return order;
}

function leavesNoQueueGoods(order: Order, parts: Units): boolean {
  const refunded = unitsOf(parts.filter(({ line }) => order.lines[line - 1]!.isQueueGoods));
  return hasQueueGoods(order) && queueUnits(order) === refunded;
}

/** What a caller has named, so that the same in another sequence is the same text. */
const textOf = ({ lines, amount, freight, answersRequest }: NamedRefund): string =>
  JSON.stringify([
    lines?.map((each) => JSON.stringify(Object.entries(each).sort())).sort(),
    amount,
    freight,
    answersRequest,
  ]);
