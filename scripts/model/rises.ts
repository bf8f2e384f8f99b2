import { gradesReached } from "../../kit/rules/levels.ts";
import { isCounted } from "../../kit/rules/orders.ts";
import type { RiseCause } from "./state.ts";
import type { Store } from "./store.ts";

/** What raises members. source: how the events name it. order: of a settlement or refund. */
export interface Cause {
  kind: RiseCause;
  source?: string;
  order?: number;
}

/** Everybody above the buyer of an order, or above a member who brings orders, nearest first. */
export function raiseAbove(store: Store, number: number, cause: Cause): void {
  for (const above of store.upline(number)) raise(store, above, cause);
}

/** Grade by grade. */
export function raise(store: Store, number: number, { kind, source, order = 0 }: Cause): void {
  const member = store.member(number);
  const levels = store.levels.filter(({ isActive }) => isActive);
  for (const grade of gradesReached(member, levels, () => store.counters(number))) {
    member.levelChanges.push({ from: member.level, to: grade, order: order || null, cause: kind });
    store.tell("level.reached", number, number, { from_level: member.level, to_level: grade }, source);
    member.level = grade;
  }
}

/**
 * Does what answers a request or refunds an order. If the order counts again by it, those above the buyer can rise.
 * @param work returns how events name it
 */
export function andRaise(store: Store, number: number, work: () => string): void {
  const order = store.order(number);
  const isNew = !isCounted(order);
  const source = work();
  if (isNew && isCounted(order) && !store.member(order.buyer).noAssess)
    raiseAbove(store, order.buyer, { kind: "refund", source, order: number });
}

/** Whether somebody or their downline has orders that count. */
export function bringsOrders(store: Store, number: number): boolean {
  return [number, ...store.below(number)].some((each) => !store.member(each).noAssess && store.countedOrders(each) > 0);
}
