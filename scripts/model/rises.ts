import type { RiseCause, TaskType } from "./state.ts";
import { isCounted, type Store } from "./store.ts";

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

/** Grade by grade, as long as all tasks are met. A held level stays, and so does that of a member who has left. */
export function raise(store: Store, number: number, { kind, source, order = 0 }: Cause): void {
  const member = store.member(number);
  if (member.isHeld || member.left) return;
  const counters = store.counters(number);
  for (const level of store.levels.filter((candidate) => candidate.isActive && candidate.grade > member.level)) {
    const isMet = Object.entries(level.tasks).every(([type, target]) => counters[type as TaskType] >= target);
    if (!isMet) break;
    member.levelChanges.push({ from: member.level, to: level.grade, order: order || null, cause: kind });
    store.tell("level.reached", number, number, { from_level: member.level, to_level: level.grade }, source);
    member.level = level.grade;
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
  return store.members.some(({ noAssess }, index) => {
    const isInBranch = index + 1 === number || store.upline(index + 1).includes(number);
    return isInBranch && !noAssess && store.countedOrders(index + 1) > 0;
  });
}
