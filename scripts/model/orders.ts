import { least } from "../../kit/amounts.ts";
import { hasQueueGoods, isBelowMinimum, paidByPoints } from "../../kit/rules/orders.ts";
import type { Item } from "./actions.ts";
import { asMoney, money, points } from "./amounts.ts";
import { settle } from "./settlement.ts";
import type { Order, OrderLine } from "./state.ts";
import { pointsLeft, PRODUCTS, refundStatus, reject, Rejected, type Store } from "./store.ts";

const ATTEMPTS = 8;
const FIRST_PAUSE = 30_000;

export function createOrder(store: Store, buyer: number, items: Item[], usePoints?: string): void {
  const { referrer } = store.member(buyer);
  if (items.length === 0 || items.some(({ quantity }) => quantity < 1)) reject("invalid_argument");
  const wanted = new Map<number, number>();
  const lines = items.map(({ product: productNumber, quantity, discount }) => {
    const product = store.products[productNumber - 1];
    if (!product?.isOnSale) reject("product_unavailable");
    const paid = product.price * BigInt(quantity) - money(discount ?? "0");
    if (paid < 0n) reject("invalid_argument");
    wanted.set(productNumber, (wanted.get(productNumber) ?? 0) + quantity);
    if (product.stock !== null && wanted.get(productNumber)! > product.stock) reject("out_of_stock");
    return {
      product: productNumber,
      paid,
      paidByPoints: 0n,
      points: 0n,
      units: quantity,
      left: quantity,
      concessions: [],
      isQueueGoods: product.isQueueGoods,
    };
  });
  if (usePoints !== undefined) payByPoints(store, buyer, lines, points(usePoints));
  for (const { product, units } of lines) store.addToStock(product, -units);
  store.orders.push({
    createdAt: store.now,
    deliveredAt: null,
    receivedAt: null,
    attempts: [],
    buyer,
    referrer,
    state: "unpaid",
    lines,
    plan: null,
    paidAt: null,
    payRef: null,
    isBelowMinimum: false,
    freight: lines.reduce((sum, { product, units }) => sum + money(PRODUCTS[product - 1]!.freight) * BigInt(units), 0n),
    refunds: [],
    settlement: null,
    grants: [],
  });
  const [spent, paid] = [sumOf(lines, "points"), sumOf(lines, "paidByPoints")];
  if (paid > 0n) bookPoints(store, store.orders.length, -spent, asMoney(paid), asMoney(store.pointsTerms.rate));
  // What costs nothing is paid at once.
  const number = store.orders.length;
  if (priceOf(store.order(number)) === 0n) payOrder(store, number, freeRef(number));
}

const freeRef = (number: number) => `free ${number}`;
const sumOf = (lines: OrderLine[], field: "points" | "paidByPoints") =>
  lines.reduce((sum, line) => sum + line[field], 0n);

/** At most what is wanted and available. */
function payByPoints(store: Store, buyer: number, lines: OrderLine[], wanted: bigint): void {
  const { rate, maxShare } = store.pointsTerms;
  const shares = paidByPoints(lines, least(wanted, store.member(buyer).available), rate, maxShare);
  for (const [index, line] of lines.entries()) {
    line.paidByPoints = shares[index]!;
    line.points = line.paidByPoints * rate;
    line.paid -= line.paidByPoints;
  }
}

/** Books points that an order takes (negative) or returns. */
export function bookPoints(
  store: Store,
  number: number,
  points: bigint,
  basis: string | null = null,
  rate: string | null = null,
): void {
  store.book(store.order(number).buyer, {
    type: points < 0n ? "points_spent" : "points_returned",
    source: "checkout",
    brokerage: 0n,
    frozen: 0n,
    available: points,
    order: number,
    basis,
    rate,
    level: null,
    passedOn: null,
    reverses: null,
  });
}

/** With timing on_pay, a job settles the order (R2). A later payment of what costs nothing changes nothing. */
export function payOrder(store: Store, number: number, ref: string): void {
  const order = store.order(number);
  if (ref === "") reject("invalid_argument");
  if (order.payRef === ref || order.payRef === freeRef(number)) return;
  if (order.payRef !== null) reject("order_already_paid");
  if (order.state !== "unpaid") reject("order_state_conflict");
  if (store.orders.some((other) => other.payRef === ref)) reject("payment_reference_used");
  order.state = "paid";
  order.paidAt = store.now;
  order.payRef = ref;
  order.plan = store.plans.length - 1;
  order.isBelowMinimum = isBelowMinimum(order.lines, store.plan(order.plan).minimumBase);
  if (hasQueueGoods(order.lines) && store.plan(order.plan).timing === "on_pay") {
    store.jobs.set(number, { attempts: 0, runAfter: store.now, isDead: false });
  }
  store.tell("order.paid", number, order.buyer, { pay_price: asMoney(priceOf(order)) });
}

/** What an order costs: its lines after discount and points, and the freight. */
export const priceOf = ({ lines, freight }: Order): bigint => lines.reduce((sum, { paid }) => sum + paid, freight);

export function cancelOrder(store: Store, number: number, isExpired = false): void {
  const order = store.order(number);
  if (order.paidAt !== null) reject("order_state_conflict");
  if (order.state === "unpaid") store.tell(isExpired ? "order.expired" : "order.cancelled", number, order.buyer);
  if (order.state === "unpaid") bookPoints(store, number, pointsLeft(order));
  if (order.state === "unpaid") for (const { product, units } of order.lines) store.addToStock(product, units);
  order.state = "cancelled";
}

export function deliverOrder(store: Store, number: number): void {
  const order = store.order(number);
  if (order.deliveredAt !== null) return;
  // The receipt of an order may be confirmed before the order is marked as shipped.
  if ((order.state !== "paid" && order.state !== "received") || refundStatus(order) === 2)
    reject("order_state_conflict");
  if (order.state === "paid") order.state = "delivered";
  order.deliveredAt = Math.min(store.now, order.receivedAt ?? store.now);
  store.tell("order.shipped", number, order.buyer);
}

/** With timing confirm, the order is settled in the same step (R2, R3). */
export function confirmReceipt(store: Store, number: number): void {
  const order = store.order(number);
  if (order.state === "received") return;
  if ((order.state !== "paid" && order.state !== "delivered") || refundStatus(order) === 2)
    reject("order_state_conflict");
  store.tell("order.received", number, order.buyer);
  if (hasQueueGoods(order.lines) && store.plan(order.plan!).timing === "confirm") settle(store, number);
  order.state = "received";
  order.receivedAt = store.now;
}

/**
 * Settles the orders whose jobs have been due for longest, in the sequence of their payments.
 * @returns the number of handled jobs, including failed ones
 */
export function runJobs(store: Store, limit: number): number {
  if (limit < 1 || limit > 1000) reject("invalid_argument");
  const due = [...store.jobs]
    .filter(([, job]) => !job.isDead && job.runAfter <= store.now)
    .sort(([order, job], [otherOrder, otherJob]) => job.runAfter - otherJob.runAfter || order - otherOrder)
    .slice(0, limit)
    .sort(
      ([order], [otherOrder]) => store.order(order).paidAt! - store.order(otherOrder).paidAt! || order - otherOrder,
    );
  for (const [number, job] of due) {
    try {
      settle(store, number);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      job.runAfter = store.now + 2 ** job.attempts * FIRST_PAUSE;
      job.attempts += 1;
      job.isDead = job.attempts === ATTEMPTS;
    }
  }
  return due.length;
}
