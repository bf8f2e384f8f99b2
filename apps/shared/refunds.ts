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

/** Whether what happens next to the order is a refund, which its page then says first. */
export const isAboutRefund = ({ refund_status, shown_state }: Pick<Order, "refund_status" | "shown_state">) =>
  refund_status === 1 || shown_state === "refunded";

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

/** A step of a refund; without a time, it has not happened yet. */
export interface RefundStep {
  name:
    | "asked"
    | "return_asked"
    | "sent"
    | "received"
    | "waiting"
    | "answered"
    | "paying"
    | "paid"
    | "failed"
    | "by_store";
  at: string | null;
}

/** The steps of a refund, from the request to the money, in their sequence. */
export function refundSteps(refund: Api["Refund"]): RefundStep[] {
  const { state, created_at, decided_at, goods_return, provider_state, amount } = refund;
  const isOpen = state === "requested";
  const paysBack = (state === "refunded" || state === "partly_refunded") && Number(amount) > 0;
  const payment =
    provider_state && ({ refunding: "paying", succeeded: "paid", failed: "failed" } as const)[provider_state];
  const steps: (RefundStep | false)[] = [
    // What the store refunds by itself is decided when it is created.
    created_at !== decided_at && { name: "asked", at: created_at },
    goods_return !== null && { name: "return_asked", at: goods_return.asked_at },
    goods_return !== null && (isOpen || goods_return.sent_at !== null) && { name: "sent", at: goods_return.sent_at },
    goods_return !== null &&
      (isOpen || goods_return.received_at !== null) && { name: "received", at: goods_return.received_at },
    isOpen ? { name: "waiting", at: null } : { name: "answered", at: decided_at },
    paysBack && { name: payment ?? "by_store", at: payment === "paid" || !payment ? decided_at : null },
  ];
  return steps.filter((step) => step !== false);
}
