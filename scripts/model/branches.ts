import { hasQueueGoods, isReported, unitsOf } from "../../kit/rules/orders.ts";
import { isDecided } from "./referrers.ts";
import type { Member, Order } from "./state.ts";
import { isPaid, Store } from "./store.ts";

/** The members below a member, at any depth. */
export function membersBelow(store: Store, head: number): Set<number> {
  return new Set(store.below(head));
}

/** Whether no new order of a member below pays or counts for anybody above: the conditions of decision 0063. */
export function isClosed(store: Store, head: number): boolean {
  const above = store.upline(head).map((number) => store.member(number));
  if (above.length === 0) return true;
  const { left } = store.member(head);
  const pointsOf = (member: Member) => (member.left ? 0n : store.level(member.level).umbrellaPoints);
  const isCounted = ({ level }: Member) => level < store.topGrade();
  if (above.some(isCounted) || above.some((member) => pointsOf(member) > pointsOf(store.member(head)))) return false;
  const own = left ? [] : store.ordersOf(head).filter(isReported);
  const eligibleSince = own.map(({ paidAt }) => paidAt!);
  const stopsOrdersPaidAt = (time: number) => eligibleSince.some((since) => since <= time);
  const below = membersBelow(store, head);
  const waiting = store.orders.filter(
    (order) => below.has(order.buyer) && isPaid(order) && hasQueueGoods(order.lines) && !order.settlement,
  );
  return [
    ...waiting.filter(({ plan }) => store.plan(plan!).scope === "umbrella").map(({ paidAt }) => paidAt!),
    ...(store.plans.at(-1)!.scope === "umbrella" ? [Infinity] : []),
  ].every(stopsOrdersPaidAt);
}

/** Whether the referrer of a member, or of somebody above, can be corrected, which can open the branch below. */
export function canMove(store: Store, head: number): boolean {
  const isMovable = (number: number) =>
    store.member(number).referrer !== 0 && !store.member(number).left && !isDecided(store, number);
  return [head, ...store.upline(head)].some(isMovable);
}

/** The members below whom a branch is closed. */
export function closedHeads(store: Store): number[] {
  return store.members.map((_, index) => index + 1).filter((head) => isClosed(store, head));
}

/** The orders of a branch that have given a member above its head something, and of which something is left. */
export function ordersThatPaidAbove(store: Store, head: number): number[] {
  const above = new Set(store.upline(head));
  const below = membersBelow(store, head);
  const hasPaidAbove = (order: Order) =>
    above.has(order.settlement?.earner ?? 0) || order.grants.some(({ member }) => above.has(member));
  return store.orders.flatMap((order, index) =>
    below.has(order.buyer) && unitsOf(order.lines) > 0 && hasPaidAbove(order) ? [index + 1] : [],
  );
}

export function copyOf(store: Store): Store {
  return Object.assign(new Store(), structuredClone(Object.fromEntries(Object.entries(store))));
}

/**
 * The store without what is outside of a branch: the head has nobody above, nobody else is in a tree, and there are no
 * orders but those of the branch and its head. What is shared remains: products, settings, references of payments,
 * administrators.
 */
export function branchAlone(store: Store, head: number): Store {
  const alone = copyOf(store);
  const members = membersBelow(store, head);
  alone.members.forEach((member, index) => {
    if (!members.has(index + 1)) member.referrer = 0;
  });
  alone.orders.forEach((order, index) => {
    if (members.has(order.buyer) || order.buyer === head) return;
    Object.assign(order, {
      state: "cancelled",
      lines: [],
      attempts: [],
      refunds: [],
      settlement: null,
      grants: [],
      plan: null,
      paidAt: null,
    });
    alone.jobs.delete(index + 1);
  });
  return alone;
}
