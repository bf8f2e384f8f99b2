import { z } from "@hono/zod-openapi";
import { id, money, orNull, time } from "./schemas.ts";
import { orderState } from "./orders.ts";
import { providerRefundState } from "./refunds.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";

/** How a payer pays: inside the app of the provider, in a browser, or on the page of the local stack's provider. */
export const paymentMethod = z.enum(["jsapi", "h5", "local"]);

/** The fields of a payment attempt, for schemas that extend it. */
export const attemptFields = z.strictObject({
  attempt_no: z.string().openapi({ description: "The number under which the provider knows the payment." }),
  provider: z.string(),
  method: paymentMethod,
  amount: money,
  state: z.enum(VALUE_LISTS["payment_attempts.state"]).openapi({
    description: "refused: the provider did not start it. closed: it can no longer be paid. paid: the provider has the money.",
  }),
  expires_at: time.openapi({ description: "The provider takes no payment after this time." }),
  add_time: time,
  ended_at: time.nullable(),
});

/** A payment attempt as the buyer sees it. */
const attempt = attemptFields.openapi("PaymentAttempt");

/** The state of the payment of an order. */
export const payment = z
  .strictObject({
    order_id: id,
    order_state: orderState,
    amount: money,
    attempt: orNull(attempt).openapi({ description: "The latest attempt. Null if no payment was started." }),
  })
  .openapi("Payment");

/** What a client passes to the provider, as the provider defines it. */
const paymentStart = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("jsapi").openapi({ description: "The arguments of wx.requestPayment, or of WeixinJSBridge." }),
    appId: z.string(),
    timeStamp: z.string(),
    nonceStr: z.string(),
    package: z.string(),
    signType: z.string(),
    paySign: z.string(),
  }),
  z.strictObject({ kind: z.literal("h5"), h5_url: z.string().openapi({ description: "Open it in the browser." }) }),
  z.strictObject({
    kind: z.literal("local"),
    url: z
      .string()
      .openapi({ description: "Open it in the browser. `redirect_url=<address>` may be appended: the page to which the payer returns." }),
  }),
]);

/** A started payment. */
export const startedPayment = z
  .strictObject({
    attempt_no: z.string(),
    expires_at: time,
    start: paymentStart,
  })
  .openapi("StartedPayment");

/** A refund at a provider, as administrators see it. */
export const providerRefund = z
  .strictObject({
    id,
    refund_no: z.string().openapi({ description: "The number under which the provider knows the refund." }),
    order_id: id,
    refund_id: id.nullable().openapi({ description: "The refund of the order. Null for an unclaimed payment." }),
    provider: z.string(),
    payment_no: z.string(),
    pay_ref: z.string(),
    amount: money,
    state: providerRefundState,
    reason: z.string().nullable().openapi({ description: "Why the provider did not pay." }),
    created_at: time,
    decided_at: time.nullable(),
  })
  .openapi("ProviderRefund");
