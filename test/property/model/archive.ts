import { maturesAt } from "./maturities.ts";
import { isOpen } from "./withdrawals.ts";
import { refundStatus, reject, type Store } from "./store.ts";
import type { Order } from "./state.ts";

/** Until when the store has archived its rows, and which months it has compacted. */
export interface Archived {
  /** Bill rows before this time, in milliseconds. */
  bill: number;
  /** Releases of business days before this one, YYYY-MM-DD. */
  releases: string;
  /** The months whose releases are compacted, YYYY-MM. */
  compacted: string[];
}

export const NOTHING_ARCHIVED: Archived = { bill: -Infinity, releases: "", compacted: [] };

/** The orders and withdrawals with archived bill rows that are not final. The store chooses the months; only what is final may be archived. */
export function openInArchive(store: Store): string[] {
  const orders = new Set(store.members.flatMap(({ bill }) => bill.filter(({ at }) => at < store.archived.bill).map(({ order }) => order)));
  return [
    ...store.orders.flatMap((order, index) => (orders.has(index + 1) && isUnfinished(store, order) ? [`order ${index + 1}`] : [])),
    ...store.withdrawals.flatMap((each, index) =>
      isOpen(each) && each.requestedAt < store.archived.bill ? [`withdrawal ${index + 1}`] : [],
    ),
  ];
}

function isUnfinished(store: Store, order: Order): boolean {
  const isUnderWay = order.state === "unpaid" || (refundStatus(order) !== 2 && ["paid", "delivered"].includes(order.state));
  const matures =
    order.grants.some(({ kind, member, remaining }) => kind === "commission" && remaining > 0n && !store.member(member).left) &&
    maturesAt(store, order) > store.now;
  return isUnderWay || refundStatus(order) === 1 || matures;
}

/** What an archived order paid cannot be reversed. */
export function rejectArchived(store: Store, order: Order): void {
  if (order.settlement && order.settlement.settledAt < store.archived.bill) reject("order_archived");
}
