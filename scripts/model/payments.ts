import type { Provider } from "./actions.ts";
import { cancelOrder, confirmReceipt, payOrder, priceOf } from "./orders.ts";
import type { Attempt, Order } from "./state.ts";
import { refundStatus, reject, Rejected, type Store } from "./store.ts";
import { DAY, MINUTE } from "./time.ts";

/** The settings of a new store. */
const PAYMENT = 30 * MINUTE;
const EXPIRY = 30 * MINUTE;
const OFFLINE_PAYMENT = 7 * DAY;
const RECEIPT = 7 * DAY;

const isOpen = ({ state }: Attempt) => state === "open";
const payRef = (order: number, attempt: number, provider: string) => `${provider} ${order}-${attempt}`;

/** Whether a provider has the money that an order was paid with, so that it is asked to pay back what is refunded. */
export function isPaidAtProvider(store: Store, number: number): boolean {
  const order = store.order(number);
  return order.attempts.some(({ provider }, index) => order.payRef === payRef(number, index + 1, provider));
}

/** @returns the number of the attempt, and whether the open one must be closed first */
export function openAttempt(store: Store, number: number, provider: Provider, method: string): string {
  const order = store.order(number);
  if (order.paidAt !== null) reject("order_already_paid");
  if (order.state !== "unpaid" || priceOf(order) === 0n) reject("order_state_conflict");
  const index = order.attempts.findIndex((attempt) => isOpen(attempt) && attempt.provider === provider);
  const open = order.attempts[index];
  if (open)
    return `${index + 1}${open.method !== method || open.expiresAt <= store.now + MINUTE ? " is to be closed" : ""}`;
  order.attempts.push({
    provider,
    method,
    state: "open",
    openedAt: store.now,
    expiresAt: store.now + PAYMENT,
    endedAt: null,
  });
  return String(order.attempts.length);
}

/**
 * A payment pays the order only through an open attempt. In any case, the provider has the money.
 * @returns the outcome
 */
export function notify(store: Store, number: number, attemptNumber: number): string {
  const order = store.orders[number - 1];
  const attempt = order?.attempts[attemptNumber - 1];
  if (!order || !attempt) return "refused";
  const ref = payRef(number, attemptNumber, attempt.provider);
  if (order.payRef === ref) return "repeated";
  const outcome =
    !isOpen(attempt) && order.state === "unpaid" ? "attention" : pays(store, number, ref) ? "paid" : "attention";
  attempt.state = "paid";
  attempt.endedAt ??= store.now;
  return outcome;
}

function pays(store: Store, number: number, ref: string): boolean {
  try {
    payOrder(store, number, ref);
    return true;
  } catch (error) {
    if (error instanceof Rejected) return false;
    throw error;
  }
}

/** @returns the state of the attempt, and the outcome of a payment */
export function recordAttemptState(
  store: Store,
  number: number,
  attemptNumber: number,
  state: string,
  accepted: boolean,
): string {
  const attempt = store.orders[number - 1]?.attempts[attemptNumber - 1] ?? reject("payment_not_found");
  const outcome = state === "paid" && attempt.state !== "paid" ? ` ${notify(store, number, attemptNumber)}` : "";
  if (isOpen(attempt) && (state === "closed" || (state === "unknown" && accepted))) {
    attempt.state = "closed";
    attempt.endedAt = Math.min(store.now, attempt.expiresAt);
  }
  return attempt.state + outcome;
}

/** When an unpaid order expires; never while an attempt is open. */
export function expiresAt({ attempts, createdAt }: Order): number {
  if (attempts.some(isOpen)) return Infinity;
  return attempts.length > 0
    ? Math.max(...attempts.map(({ endedAt }) => endedAt!)) + EXPIRY
    : createdAt + OFFLINE_PAYMENT;
}

/** @returns how many orders it cancels */
export function expireOrders(store: Store): number {
  const due = store.orders.flatMap((order, index) =>
    order.state === "unpaid" && expiresAt(order) <= store.now ? [index + 1] : [],
  );
  for (const number of due) cancelOrder(store, number, true);
  return due.length;
}

/** @returns how many orders it receives; one whose settlement fails is left */
export function receiveDelivered(store: Store): number {
  const due = store.orders
    .flatMap((order, index) =>
      order.state === "delivered" && ![1, 2].includes(refundStatus(order)) && order.deliveredAt! + RECEIPT <= store.now
        ? [index + 1]
        : [],
    )
    .sort((one, other) => store.order(one).deliveredAt! - store.order(other).deliveredAt! || one - other);
  return due.filter((number) => {
    try {
      store.attempt(() => confirmReceipt(store, number));
      return true;
    } catch (error) {
      if (error instanceof Rejected) return false;
      throw error;
    }
  }).length;
}
