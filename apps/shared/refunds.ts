import type { Api } from "../client/index.ts";

type Order = Api["Order"];

/** Units of a line that were not refunded. */
export const unitsLeft = ({ quantity, refunded_quantity }: Pick<Api["OrderLine"], "quantity" | "refunded_quantity">) =>
  quantity - refunded_quantity;

/** Whether the member may request a refund. The store checks it again. */
export const canAskForRefund = ({ state, refund_status, refund_request_until, lines }: Order) =>
  ["paid", "delivered", "received"].includes(state) &&
  refund_status !== 1 &&
  (refund_request_until === null || Date.parse(refund_request_until) > Date.now()) &&
  lines.some((line) => unitsLeft(line) > 0);

/** Whether a request ended because its goods were refunded by a refund that was no answer to it. */
export const isRefundedElsewhere = ({ state, lines }: Pick<Api["Refund"], "state" | "lines">) =>
  state === "partly_refunded" && lines.every(({ quantity, concession }) => quantity === 0 && Number(concession) === 0);

/**
 * Of an order whose goods were all refunded, the freight that its refunds did not pay back; undefined if there is none.
 */
export function freightKept({ shown_state, freight }: Order, refunds: Api["Refund"][]): string | undefined {
  const paidBack = refunds
    .filter(({ state }) => state === "refunded" || state === "partly_refunded")
    .reduce((sum, refund) => sum + Number(refund.freight), 0);
  const kept = (Number(freight) - paidBack).toFixed(2);
  return shown_state === "refunded" && Number(kept) > 0 ? kept : undefined;
}
