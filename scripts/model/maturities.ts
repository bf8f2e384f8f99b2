import type { Order } from "./state.ts";
import type { Store } from "./store.ts";
import { DAY } from "./time.ts";

/**
 * The commission of a member that has not matured, unless they have left: their balance is given up or owed as a whole,
 * summed from the orders: received at least `holdingDays` of their plan ago, and settled.
 */
export function maturing(store: Store, number: number): bigint {
  if (store.member(number).left) return 0n;
  return store.orders.reduce((sum, order) => {
    const commission = order.grants.find(({ kind, member }) => kind === "commission" && member === number);
    if (!commission) return sum;
    return maturesAt(store, order) <= store.now ? sum : sum + commission.remaining;
  }, 0n);
}

/** When the commission of a settled order matures; never, if the order is never received. */
export function maturesAt(store: Store, order: Order): number {
  return (
    Math.max(order.receivedAt ?? Infinity, order.settlement!.settledAt) + store.plan(order.plan!).holdingDays * DAY
  );
}
