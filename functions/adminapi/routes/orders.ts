import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { order, orderFields, shownOrderState } from "../../_shared/resources/orders.ts";
import { parcelFields } from "../../_shared/resources/parcels.ts";
import { attemptFields, providerRefund } from "../../_shared/resources/payments.ts";
import { providerRefundState, refund, returnState } from "../../_shared/resources/refunds.ts";
import { waitingFilter } from "../../_shared/resources/waiting.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  cursorPaging,
  flagText,
  id,
  idPath,
  idText,
  integerText,
  logOf,
  money,
  period,
  sortBy,
  text,
  time,
  timestamp,
  visibleParagraphs,
  visibleText,
} from "../../_shared/resources/schemas.ts";

const adminOrderFields = orderFields.extend({
  nickname: z.string().openapi({ description: "The buyer's nickname." }),
  referrer_nickname: z.string().nullable().openapi({ description: "The nickname of the buyer's referrer when the order was placed." }),
});

export const adminOrder = adminOrderFields.openapi("AdminOrder");

const amountLeft = money.openapi({ description: "What is left of `pay_price` after all refunds of the order." });

const listedOrder = adminOrderFields
  .extend({
    refunded: money.openapi({
      description: "What was refunded of the order, with freight: between refunded_from and refunded_to, if they are given.",
    }),
    amount_left: amountLeft,
    return_state: returnState.nullable().openapi({
      description: "How far the goods of the open refund request have returned. Null if the store has not asked for them.",
    }),
  })
  .openapi("AdminListedOrder");

const paymentAttempt = attemptFields
  .extend({
    id,
    pay_ref: z.string().nullable(),
    reason: z.string().nullable().openapi({ description: "Why the provider refused to start it." }),
    started_at: time.nullable().openapi({ description: "When the provider responded. Null if no response was recorded." }),
  })
  .openapi("AdminPaymentAttempt");

const unclaimedPayment = z
  .strictObject({
    notification_id: id.openapi({
      description: "The first notification of the payment. Its refund starts with PUT /adminapi/payment/notification/{id}/refund.",
    }),
    provider: z.string(),
    payment_no: z.string(),
    pay_ref: z.string(),
    amount: money,
    reason: z.string(),
    add_time: time,
    refund_state: providerRefundState.nullable(),
  })
  .openapi("UnclaimedPayment");

const orderPage = adminOrderFields
  .extend({
    pay_type: z.string().nullable(),
    pay_ref: z.string().nullable().openapi({ description: "The reference of the payment." }),
    plan_version: z.int().nullable().openapi({ description: "The commission plan in force when the order was paid." }),
    refunds: z.array(refund).openapi({ description: "Newest first, including the open request." }),
    refunded: money.openapi({ description: "What was refunded of the order, with freight." }),
    amount_left: amountLeft,
    freight_left: money.openapi({ description: "What is left of the freight after refunds." }),
    payment_attempts: z.array(paymentAttempt).openapi({ description: "Payments that the store started at a provider, newest first." }),
    provider_refunds: z.array(providerRefund).openapi({ description: "Refunds that were requested from a provider, newest first." }),
    unclaimed_payments: z
      .array(unclaimedPayment)
      .openapi({ description: "Payments for the order that could not be applied to it, newest first." }),
    waiting_payment: z.strictObject({ marked_by: actor, pay_ref: z.string(), add_time: time }).nullable().openapi({
      description:
        "The offline payment that one administrator has recorded above the limit of a day, and that a second one must confirm by recording it, too.",
    }),
    refused_payment: z
      .strictObject({ marked_by: actor, pay_ref: z.string(), refused_by: actor, refused_at: time, reason: z.string() })
      .nullable()
      .openapi({
        description: "The last such payment, if it was refused. It can be recorded anew.",
      }),
    parcels: z.array(parcelFields.extend({ shipped_by: actor }).openapi("AdminParcel")),
  })
  .openapi("OrderPage");

export const orderRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/order",
    auth: "admin",
    tag: "Orders",
    summary: "Orders of all members",
    request: {
      query: cursorPaging.extend({
        uid: idText.optional(),
        product_id: idText.optional().openapi({ description: "With units of this product, also refunded ones." }),
        is_queue_goods: flagText
          .optional()
          .openapi({ description: "With units that are queue goods, or not; of the product, if one is given." }),
        state: shownOrderState.optional().openapi({ description: "By `shown_state`." }),
        refund_status: integerText(0, 3).optional(),
        order_no: text(1, 64).optional().openapi({ example: "20261001000001" }),
        search: text(1, 64).optional().openapi({
          example: "Chen",
          description:
            "The id of an order, the last four or more characters of its number, the tracking number of a parcel, or the beginning of the buyer's nickname.",
        }),
        waiting: waitingFilter("shipment", "refund", "payment"),
        ...period,
        paid_from: timestamp.optional().openapi({ description: "Paid at or after this time." }),
        paid_to: timestamp.optional().openapi({ description: "Paid before this time." }),
        refunded_from: timestamp.optional().openapi({ description: "With a refund at or after this time." }),
        refunded_to: timestamp.optional().openapi({ description: "With a refund before this time." }),
        sort: sortBy(["id", "paid_at"], "-id", " Orders that are not paid have no paid_at and are left out by it."),
      }),
    },
    response: logOf(listedOrder),
    calls: "admin_get_orders",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/order/{id}",
    auth: "admin",
    tag: "Orders",
    summary: "One order with its payment and its refunds",
    request: { path: idPath },
    response: orderPage,
    errors: ["order_not_found"],
    calls: "admin_get_order",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/order/{id}/pay",
    auth: "admin",
    tag: "Orders",
    summary: "Record an offline payment",
    description:
      "The order is settled in the background. Repeating the request with the same reference changes nothing. Above the limit of a day, the order stays unpaid until a second administrator with the role owner or finance records the payment, too; without a reference, with that of the first.",
    request: { path: idPath, body: z.strictObject({ pay_ref: text(1, 128).optional() }).optional() },
    response: order,
    errors: [
      "own_account",
      "order_not_found",
      "order_state_conflict",
      "order_already_paid",
      "payment_reference_used",
      "second_administrator_needed",
    ],
    calls: "pay_order_offline",
    args: ({ path, body }) => ({ p_order_id: path.id, p_pay_ref: body?.pay_ref }),
    afterwards: ({ settle, work }) => {
      settle();
      work();
    },
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/order/{id}/pay/refuse",
    auth: "admin",
    tag: "Orders",
    summary: "Refuse an offline payment that waits for a second administrator",
    description:
      "The order stays unpaid. Repeating the request changes nothing; the payment can be recorded anew. Whoever recorded it can take it back by this, too.",
    request: { path: idPath, body: z.strictObject({ reason: visibleParagraphs(500) }) },
    response: order,
    errors: ["own_account", "order_not_found", "order_state_conflict"],
    calls: "refuse_payment",
    args: ({ path, body }) => ({ p_order_id: path.id, p_reason: body.reason }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/order/{id}/deliver",
    auth: "admin",
    tag: "Orders",
    summary: "Record that an order was shipped",
    description:
      "With its first parcel, if carrier or tracking number are given. A repeated request with others corrects them, until the receipt is confirmed. An order whose receipt was confirmed first gets its parcel, too, and stays received. POST /adminapi/order/{id}/parcel adds further parcels.",
    request: {
      path: idPath,
      body: z.strictObject({ carrier: visibleText(64).optional(), tracking_no: visibleText(64).optional() }).optional(),
    },
    response: order,
    errors: ["own_account", "order_not_found", "order_state_conflict"],
    calls: "deliver_order",
    args: ({ path, body }) => ({ p_order_id: path.id, p_carrier: body?.carrier, p_tracking_no: body?.tracking_no }),
    afterwards: ({ work }) => work(),
  }),
] as const;
