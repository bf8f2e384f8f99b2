import type { Item } from "./actions.ts";
import { money } from "./amounts.ts";
import { settle } from "./settlement.ts";
import { hasQueueGoods, queueBase, refundStatus, refuse, Refused, type Store } from "./store.ts";

const ATTEMPTS = 8;
const FIRST_PAUSE = 30_000;

export function createOrder(store: Store, buyer: number, items: Item[]): void {
  const { referrer } = store.member(buyer);
  if (items.length === 0) refuse("invalid_argument");
  const wanted = new Map<number, number>();
  const lines = items.map(({ product: productNumber, quantity, discount }) => {
    if (quantity < 1) refuse("invalid_argument");
    const product = store.products[productNumber - 1];
    if (!product?.isOnSale) refuse("product_unavailable");
    const paid = product.price * BigInt(quantity) - money(discount ?? "0");
    if (paid < 0n) refuse("invalid_argument");
    wanted.set(productNumber, (wanted.get(productNumber) ?? 0) + quantity);
    if (product.stock !== null && wanted.get(productNumber)! > product.stock) refuse("out_of_stock");
    return { product: productNumber, paid, quantity, unitsLeft: quantity, isQueueGoods: product.isQueueGoods };
  });
  for (const { product, quantity } of lines) store.addToStock(product, -quantity);
  store.orders.push({
    createdAt: store.now, deliveredAt: null, receivedAt: null, attempts: [],
    buyer, referrer, state: "unpaid", lines, plan: null, paidAt: null, payRef: null, isBelowMinimum: false, refunds: [], settlement: null, grants: [],
  });
}

/** With timing on_pay, a job settles the order (R2). */
export function payOrder(store: Store, number: number, ref: string): void {
  if (ref === "") refuse("invalid_argument");
  const order = store.order(number);
  if (order.payRef === ref) return;
  if (order.payRef !== null) refuse("order_already_paid");
  if (order.state !== "unpaid") refuse("order_state_conflict");
  if (store.orders.some((other) => other.payRef === ref)) refuse("payment_reference_used");
  order.state = "paid";
  order.paidAt = store.now;
  order.payRef = ref;
  order.plan = store.plans.length - 1;
  order.isBelowMinimum = hasQueueGoods(order) && queueBase(order) < store.plan(order.plan).minimumBase;
  if (hasQueueGoods(order) && store.plan(order.plan).timing === "on_pay") {
    store.jobs.set(number, { attempts: 0, runAfter: store.now, isDead: false });
  }
}

export function cancelOrder(store: Store, number: number): void {
  const order = store.order(number);
  if (order.paidAt !== null) refuse("order_state_conflict");
  if (order.state === "unpaid") for (const { product, quantity } of order.lines) store.addToStock(product, quantity);
  order.state = "cancelled";
}

export function deliverOrder(store: Store, number: number): void {
  const order = store.order(number);
  // The receipt of an order may be confirmed before the order is marked as shipped.
  if (order.state === "delivered" || order.state === "received") return;
  if (order.state !== "paid" || refundStatus(order) === 2) refuse("order_state_conflict");
  order.state = "delivered";
  order.deliveredAt = store.now;
}

/** With timing confirm, the order is settled in the same step (R2, R3). */
export function confirmReceipt(store: Store, number: number): void {
  const order = store.order(number);
  if (order.state === "received") return;
  if ((order.state !== "paid" && order.state !== "delivered") || refundStatus(order) === 2) refuse("order_state_conflict");
  if (hasQueueGoods(order) && store.plan(order.plan!).timing === "confirm") settle(store, number);
  order.state = "received";
  order.receivedAt = store.now;
}

/** Settles the due orders, oldest job first. @returns the number of handled jobs, including failed ones */
export function runJobs(store: Store, limit: number): number {
  if (limit < 1 || limit > 1000) refuse("invalid_argument");
  const due = [...store.jobs]
    .filter(([, job]) => !job.isDead && job.runAfter <= store.now)
    .sort(([order, job], [otherOrder, otherJob]) => job.runAfter - otherJob.runAfter || order - otherOrder)
    .slice(0, limit);
  for (const [number, job] of due) {
    try {
      settle(store, number);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      job.runAfter = store.now + 2 ** job.attempts * FIRST_PAUSE;
      job.attempts += 1;
      job.isDead = job.attempts === ATTEMPTS;
    }
  }
  return due.length;
}
