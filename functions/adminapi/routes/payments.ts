import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { outboxRow, outboxState } from "../../_shared/resources/outbox.ts";
import { providerRefund } from "../../_shared/resources/payments.ts";
import { providerRefundState } from "../../_shared/resources/refunds.ts";
import { cursorPaging, id, idPath, listOf, logOf, money, paging, time } from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

/** What the store did with a notification. */
const outcome = z.enum(VALUE_LISTS["payment_notifications.outcome"]);

const notification = z
  .strictObject({
    id,
    provider: z.string(),
    event_id: z
      .string()
      .nullable()
      .openapi({ description: bilingual("The event id assigned by the provider.", "支付机构给出的事件编号。") }),
    order_id: id
      .nullable()
      .openapi({ description: bilingual("Null if no order was found or looked up.", "未找到或未查找订单时为 null。") }),
    order_no: z
      .string()
      .nullable()
      .openapi({
        description: bilingual(
          "The number of the payment or order; for a transfer, that of the withdrawal.",
          "支付或订单的单号；转账为提现单号。",
        ),
      }),
    pay_ref: z.string().nullable(),
    amount: money.nullable(),
    currency: z.string().nullable(),
    outcome: outcome.openapi({
      description: bilingual(
        "refund, transfer: the state of a refund or of a withdrawal to WeChat was recorded; `reason` has it. attention: money that could not be applied to its order. refused: does not match " +
          "an order or a refund. unverified: the sender could not be verified.",
        "refund、transfer：已记录退款或微信提现的状态，见 `reason`。attention：未能计入订单的款项。refused：与订单或退款不符。unverified：无法验证发送方。",
      ),
    }),
    reason: z.string().nullable(),
    add_time: time,
    refund_state: providerRefundState.nullable().openapi({
      description: bilingual(
        "For the outcome attention: the state of the refund of the payment. Null if no refund was requested.",
        "结果为 attention 时，该笔付款的退款状态；未申请退款时为 null。",
      ),
    }),
  })
  .openapi("PaymentNotification");

export const paymentRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/payment/notification",
    auth: "admin",
    tag: "Payments",
    summary: bilingual("Payment notifications and their outcomes, newest first", "付款通知及处理结果，最新的在前"),
    request: { query: cursorPaging.extend({ outcome: outcome.optional() }) },
    response: logOf(notification),
    calls: "get_payment_notifications",
    standby: true,
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/payment/notification/{id}/refund",
    auth: "admin",
    tag: "Payments",
    summary: bilingual("Refund an unclaimed payment", "原路退回待处理款项"),
    description: bilingual(
      "For a notification with the outcome attention. The refund is requested in the background, and queried until the provider has decided.",
      "用于结果为 attention 的通知。退款在后台申请，并持续查询直至支付机构给出结果。",
    ),
    request: { path: idPath },
    response: providerRefund,
    errors: ["payment_not_found", "own_account"],
    calls: "refund_payment",
    args: ({ path }) => ({ p_notification_id: path.id }),
    afterwards: ({ work }) => work(),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/payment/refund/{id}/retry",
    auth: "admin",
    tag: "Payments",
    summary: bilingual("Request a refund again that a provider did not pay", "重新申请支付机构未付出的退款"),
    request: { path: idPath },
    response: providerRefund,
    errors: ["refund_not_found", "order_state_conflict", "own_account"],
    calls: "retry_provider_refund",
    afterwards: ({ work }) => work(),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/outbox",
    auth: "admin",
    tag: "Payments",
    summary: bilingual(
      "Calls to providers that are still to be made, newest first",
      "待处理的支付机构请求，最新的在前",
    ),
    request: { query: paging.extend({ state: outboxState.optional() }) },
    response: listOf(outboxRow),
    calls: "get_outbox",
    standby: true,
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/outbox/{id}/retry",
    auth: "admin",
    tag: "Payments",
    summary: bilingual("Retry a call to a provider now", "立即重试支付机构请求"),
    request: { path: idPath },
    response: outboxRow,
    errors: ["job_not_found", "own_account"],
    calls: "retry_outbox",
    afterwards: ({ work }) => work(),
  }),
] as const;
