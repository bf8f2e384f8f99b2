import type { Api } from "../client/index.ts";

/** The filters of the member's list of orders: all, a state, or those with a refund. */
export type OrderFilter = Api["Order"]["shown_state"] | "all" | "after_sales";

export const orderFilters: readonly OrderFilter[] = [
  "all",
  "unpaid",
  "paid",
  "delivered",
  "after_sales",
  "received",
  "cancelled",
  "refunded",
];

/** What `GET /api/order` is asked for by a filter. */
export function orderQuery(filter: OrderFilter) {
  if (filter === "all") return {};
  return filter === "after_sales" ? { has_refund: true } : { state: filter };
}
