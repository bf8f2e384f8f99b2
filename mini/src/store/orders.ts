import type { Api } from "../../../client/index.ts";
import { texts } from "../texts/texts.ts";

type Order = Api["Order"];

/** The state of an order, or that of its refunds. */
export function orderState({ state, refund_status }: Pick<Order, "state" | "refund_status">): string {
  const refunds = texts.orders.refundStatus as Partial<Record<string, string>>;
  return [texts.orders.state[state], refunds[String(refund_status)]].filter(Boolean).join(" · ");
}

/** Units of a line that were not refunded. */
export const unitsLeft = ({ quantity, refunded_quantity }: Api["OrderLine"]) => quantity - refunded_quantity;

/** Whether the member may request a refund. The store checks it again. */
export const canAskForRefund = ({ state, refund_status, lines }: Order) =>
  ["paid", "delivered", "received"].includes(state) && refund_status !== 1 && lines.some((line) => unitsLeft(line) > 0);

/** Whether the buyer can enter or correct the parcel by which the goods return. The store checks it again. */
export const isReturning = ({ state, goods_return }: Api["Refund"]) =>
  state === "requested" && goods_return !== null && goods_return.state !== "received";
