import { hasQueueGoods } from "../../kit/rules/orders.ts";
import { bringsOrders, raiseAbove } from "./rises.ts";
import type { Order } from "./state.ts";
import { reject, type Store } from "./store.ts";

/** A member chooses a referrer once. If they or members below them have orders that count, those above can rise. */
export function bind(store: Store, number: number, under: number): void {
  const member = store.member(number);
  if (member.referrer !== 0 && member.referrer === under) return;
  if (member.referrer !== 0) reject("spread_already_bound");
  checkReferrer(store, number, under);
  refer(store, number, under);
  if (bringsOrders(store, number)) raiseAbove(store, number, { kind: "refer" });
}

/**
 * An administrator sets or corrects a referrer, as long as nothing was decided by it: no order of the member or below
 * is settled. Orders of the member that wait and name a referrer get the new one.
 */
export function setReferrer(store: Store, number: number, under: number): void {
  if (store.member(number).referrer === under && under !== 0) return;
  if (store.member(number).left) reject("user_not_found");
  checkReferrer(store, number, under);
  if (isDecided(store, number)) reject("spread_decided");
  const waits = (order: Order) =>
    order.buyer === number && order.referrer !== 0 && order.state !== "cancelled" && hasQueueGoods(order.lines);
  for (const order of store.orders.filter(waits)) order.referrer = under;
  refer(store, number, under);
}

/** Whether an order of a member, or of somebody below, is settled. */
export function isDecided(store: Store, number: number): boolean {
  return store.orders.some(
    ({ buyer, settlement }) => settlement !== null && (buyer === number || store.upline(buyer).includes(number)),
  );
}

function refer(store: Store, number: number, under: number): void {
  store.member(number).referrer = under;
  store.tell("member.referred", number, under);
}

/** Neither the member nor a member of the own downline, and nobody who has left. */
function checkReferrer(store: Store, number: number, under: number): void {
  if (number === under) reject("spread_is_self");
  if (!store.members[under - 1] || store.member(under).left) reject("spread_unknown");
  if (store.upline(under).includes(number)) reject("spread_in_own_downline");
}
