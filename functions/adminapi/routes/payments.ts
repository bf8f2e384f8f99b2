import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { outboxRow, outboxState } from "../../_shared/resources/outbox.ts";
import { providerRefund } from "../../_shared/resources/payments.ts";
import { providerRefundState } from "../../_shared/resources/refunds.ts";
import { cursorPaging, id, idPath, listOf, logOf, money, paging, time } from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";

/** What the store did with a notification. */
const outcome = z.enum(VALUE_LISTS["payment_notifications.outcome"]);

const notification = z
  .strictObject({
    id,
    provider: z.string(),
    event_id: z.string().nullable().openapi({ description: "The event id assigned by the provider." }),
    order_id: id.nullable().openapi({ description: "Null if no order was found or looked up." }),
    order_no: z.string().nullable().openapi({ description: "The number of the payment or order; for a transfer, that of the withdrawal." }),
    pay_ref: z.string().nullable(),
    amount: money.nullable(),
    currency: z.string().nullable(),
    outcome: outcome.openapi({
      description:
        "refund, transfer: the state of a refund or of a withdrawal to WeChat was recorded; `reason` has it. attention: money that could not be applied to its order. refused: does not match " +
        "an order or a refund. unverified: the sender could not be verified.",
    }),
    reason: z.string().nullable(),
    add_time: time,
    refund_state: providerRefundState
      .nullable()
      .openapi({ description: "For the outcome attention: the state of the refund of the payment. Null if no refund was requested." }),
  })
  .openapi("PaymentNotification");

export const paymentRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/payment/notification",
    auth: "admin",
    tag: "Payments",
    summary: "Payment notifications and their outcomes, newest first",
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
    summary: "Refund an unclaimed payment",
    description:
      "For a notification with the outcome attention. The refund is requested in the background, and queried until the provider has decided.",
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
    summary: "Request a refund again that a provider did not pay",
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
    summary: "Calls to providers that are still to be made, newest first",
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
    summary: "Retry a call to a provider now",
    request: { path: idPath },
    response: outboxRow,
    errors: ["job_not_found", "own_account"],
    calls: "retry_outbox",
    afterwards: ({ work }) => work(),
  }),
] as const;
