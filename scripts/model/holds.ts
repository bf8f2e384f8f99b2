import type { Order, Withdrawal } from "./state.ts";
import { openRequest, type Store } from "./store.ts";
import { maturesAt, maturing } from "./maturities.ts";

const lesser = (one: bigint, other: bigint) => (one < other ? one : other);

/** Whether a buyer waits for an answer about queue goods of an order: what it paid cannot be withdrawn until then. */
export const isHeld = (order: Order): boolean =>
  openRequest(order)?.asked?.some(({ line }) => order.lines[line - 1]!.isQueueGoods) ?? false;

/** The matured commission that orders with an open request have paid a member. */
function matured(store: Store, number: number): bigint {
  return store.orders.filter(isHeld).reduce((sum, order) => {
    const commission = order.grants.find(({ kind, member }) => kind === "commission" && member === number);
    return commission && maturesAt(store, order) <= store.now ? sum + commission.remaining : sum;
  }, 0n);
}

/** What of it is in the balance of a member, who has not left. It is never a debt. */
export function heldByRefunds(store: Store, number: number): bigint {
  if (store.member(number).left) return 0n;
  const left = store.member(number).brokerage - maturing(store, number);
  return left > 0n ? lesser(left, matured(store, number)) : 0n;
}

/** What of it is not: it is part of the open withdrawal. */
export function heldOf(store: Store, { member, amount }: Withdrawal): bigint {
  return lesser(amount, matured(store, member) - heldByRefunds(store, member));
}
