import { z } from "@hono/zod-openapi";
import { id, money, orNull, time } from "./schemas.ts";
import { orderState } from "./orders.ts";
import { providerRefundState } from "./refunds.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";
import { bilingual } from "../words/bilingual.ts";

/** How a payer pays: inside the app of the provider, in a browser, or on the page of the local stack's provider. */
export const paymentMethod = z.enum(["jsapi", "h5", "local"]);

/** The fields of a payment attempt, for schemas that extend it. */
export const attemptFields = z.strictObject({
  attempt_no: z.string().openapi({
    description: bilingual("The number under which the provider knows the payment.", "支付单在支付机构的单号。"),
  }),
  provider: z.string(),
  method: paymentMethod,
  amount: money,
  state: z.enum(VALUE_LISTS["payment_attempts.state"]).openapi({
    description: bilingual(
      "refused: the provider did not start it. closed: it can no longer be paid. paid: the provider has the money.",
      "refused：支付机构未受理。closed：不能再付款。paid：支付机构已收款。",
    ),
  }),
  expires_at: time.openapi({
    description: bilingual("The provider takes no payment after this time.", "此后支付机构不再受理付款。"),
  }),
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
    attempt: orNull(attempt).openapi({
      description: bilingual(
        "The latest attempt. Null if no payment was started.",
        "最近的支付单；未发起过支付时为 null。",
      ),
    }),
  })
  .openapi("Payment");

/** What a client passes to the provider, as the provider defines it. */
const paymentStart = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("jsapi").openapi({
      description: bilingual(
        "The arguments of wx.requestPayment, or of WeixinJSBridge.",
        "wx.requestPayment 或 WeixinJSBridge 的参数。",
      ),
    }),
    appId: z.string(),
    timeStamp: z.string(),
    nonceStr: z.string(),
    package: z.string(),
    signType: z.string(),
    paySign: z.string(),
  }),
  z.strictObject({
    kind: z.literal("h5"),
    h5_url: z.string().openapi({ description: bilingual("Open it in the browser.", "在浏览器中打开。") }),
  }),
  z.strictObject({
    kind: z.literal("local"),
    url: z.string().openapi({
      description: bilingual(
        "Open it in the browser. `redirect_url=<address>` may be appended: the page to which the payer returns.",
        "在浏览器中打开，可在末尾加上 `redirect_url=<address>`：付款后返回的页面。",
      ),
    }),
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
    refund_no: z.string().openapi({
      description: bilingual("The number under which the provider knows the refund.", "退款在支付机构的单号。"),
    }),
    order_id: id,
    refund_id: id.nullable().openapi({
      description: bilingual(
        "The refund of the order. Null for an unclaimed payment.",
        "订单的退款；待处理款项为 null。",
      ),
    }),
    provider: z.string(),
    payment_no: z.string(),
    pay_ref: z.string(),
    amount: money,
    state: providerRefundState,
    reason: z
      .string()
      .nullable()
      .openapi({ description: bilingual("Why the provider did not pay.", "支付机构未退款的原因。") }),
    created_at: time,
    decided_at: time.nullable(),
  })
  .openapi("ProviderRefund");
