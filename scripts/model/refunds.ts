import {
  baseOf,
  hasQueueGoods,
  moneyLeft,
  openRequest,
  pointsLeft,
  type Units,
  unitsOf,
} from "../../kit/rules/orders.ts";
import { isInDoubt } from "../../kit/rules/balances.ts";
import { answerTo, isWindowOver, leftOf, type Part, partsOf, without } from "../../kit/rules/refunds.ts";
import type { NamedRefund, RequestLines } from "./actions.ts";
import { asMoney } from "./amounts.ts";
import { asNumber } from "./events.ts";
import { forfeit } from "./leavers.ts";
import { bookPoints } from "./orders.ts";
import { checkedUnits, freightOf, namedParts } from "./refund_amounts.ts";
import { freePlace, reverseGrants } from "./reversals.ts";
import { andRaise } from "./rises.ts";
import type { Order, Refund } from "./state.ts";
import { isPaid, reject, type Store } from "./store.ts";
import { settle } from "./settlement.ts";

export function requestRefund(store: Store, number: number, lines: RequestLines): void {
  const order = paidOrder(store, number);
  if (openRequest(order)) reject("refund_state_conflict");
  if (isWindowOver(order, store.refundWindow, store.now)) reject("refund_window_over");
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
    const wasHeld = isInDoubt(order) && request.isAfterSettlement;
    Object.assign(request, { state, ...valueOfUnits(order, leftOf(order.lines, request.asked)) });
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
    points: asNumber(refund.points),
  };
  store.tell(`refund.${refund.state}`, number, buyer, payload);
}

/** Refunds what is named, else what the open request asks for, else all that is left. */
export function refund(store: Store, number: number, { ref, ...named }: NamedRefund & { ref: string | null }): void {
  const order = paidOrder(store, number);
  const text = textOf(named);
  const before = ref === null ? undefined : order.refunds.find((each) => each.ref === ref);
  if (before) return before.named === text ? undefined : reject("refund_reference_used");
  const parts = namedParts(order, named);
  if (named.answersRequest && !openRequest(order)) reject("refund_not_found");
  // Of an amount, freight is refunded only where it is named.
  const freight = freightOf(order, parts, named.freight ?? (named.amount === undefined ? undefined : "0"));
  if (parts.length === 0 && freight === 0n) reject("invalid_argument");
  if (store.broken.includes(number) && !order.settlement && leavesNoQueueGoods(order, parts))
    reject("settlement_is_broken");

  andRaise(store, number, () => {
    const wasHeld = isInDoubt(order) && openRequest(order)!.isAfterSettlement;
    const completed = complete(order, valueOf(order, parts, freight), named.answersRequest);
    Object.assign(completed, { ref, named: text });
    giveToBuyer(store, number, completed);
    reduceRequest(store, number);
    const source = sourceOf(order, completed);
    const reversed = order.settlement ? reverseGrants(store, number) : [];
    if (order.settlement && baseOf(order.lines) === 0n) freePlace(store, number);
    forfeit(store, order.buyer);
    tellState(store, number, completed);
    for (const { member, amount } of reversed)
      store.tell("commission.reversed", number, member, { amount: asMoney(amount) }, source);
    if (wasHeld && !openRequest(order)) tellHold(store, number, "released", source);
    return source;
  });
  if (!order.settlement && hasQueueGoods(order.lines) && unitsOf(order.lines) === 0) settle(store, number);
}

/** A request holds what its order has paid, and its answer releases what is left of it: of what was told to be held. */
function tellHold(store: Store, number: number, what: "held" | "released", source: string): void {
  const order = store.order(number);
  const commission = order.grants.find(({ kind, remaining }) => kind === "commission" && remaining > 0n);
  // Who has left withdraws nothing, so nothing is held of them.
  if (!commission || store.member(commission.member).left || (what === "held" && !isInDoubt(order))) return;
  store.tell(`commission.${what}`, number, commission.member, { amount: asMoney(commission.remaining) }, source);
}

/** What a refund of units pays back, or would, with freight by default. */
function valueOfUnits(order: Order, units: Units[]): Pick<Refund, "parts" | "amount" | "freight" | "points"> {
  const parts = partsOf(units);
  return valueOf(order, parts, freightOf(order, parts));
}

/** What a refund pays back, before its units are gone. */
function valueOf(
  { lines }: Order,
  parts: Part[],
  freight: bigint,
): Pick<Refund, "parts" | "amount" | "freight" | "points"> {
  const rest = without(lines, parts);
  const amount = moneyLeft(lines) - moneyLeft(rest) + freight;
  return { parts, amount, freight, points: pointsLeft(lines) - pointsLeft(rest) };
}

/** Makes a refund the answer to the open request, or a row of its own. @returns the row */
function complete(order: Order, value: ReturnType<typeof valueOf>, answersRequest: boolean | undefined): Refund {
  const request = openRequest(order);
  const state = request && answerTo(request.asked, value.parts, answersRequest);
  if (state) return Object.assign(request, value, { state });
  order.refunds.push({ state: "refunded", named: "", ref: null, asked: [], isAfterSettlement: false, ...value });
  return order.refunds.at(-1)!;
}

/** Points return to the buyer, and units of an order that was not shipped to the stock. */
function giveToBuyer(store: Store, number: number, { parts, points }: Refund): void {
  const order = store.order(number);
  bookPoints(store, number, points);
  order.lines = without(order.lines, parts);
  if (order.state === "paid")
    for (const { line, units } of parts) store.addToStock(order.lines[line - 1]!.product, units);
}

/** A request that another refund leaves open asks for what is left of it. If nothing is, it was granted in part. */
function reduceRequest(store: Store, number: number): void {
  const order = store.order(number);
  const request = openRequest(order);
  if (!request) return;
  const left = leftOf(order.lines, request.asked);
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

const leavesNoQueueGoods = ({ lines }: Order, parts: Part[]): boolean =>
  hasQueueGoods(lines) && unitsOf(without(lines, parts)) === 0;

/** What a caller has named, so that the same in another sequence is the same text. */
const textOf = ({ lines, amount, freight, answersRequest }: NamedRefund): string =>
  JSON.stringify([
    lines?.map((each) => JSON.stringify(Object.entries(each).sort())).sort(),
    amount,
    freight,
    answersRequest,
  ]);
