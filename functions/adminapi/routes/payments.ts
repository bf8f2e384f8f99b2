import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/route.ts";
import { cursorPaging, id, logOf, money, time } from "../../_shared/schemas.ts";

const outcome = z.enum(["paid", "repeated", "ignored", "refused", "attention", "unverified"]);

const notification = z.strictObject({
  id,
  provider: z.string(),
  event_id: z.string().nullable().openapi({ description: "The event id assigned by the provider." }),
  order_id: id.nullable().openapi({ description: "Null if no order was found or looked up." }),
  order_no: z.string().nullable(),
  pay_ref: z.string().nullable(),
  amount: money.nullable(),
  currency: z.string().nullable(),
  outcome: outcome.openapi({
    description: "attention: money for an order that cannot take it. refused: does not match an order. unverified: the sender could not be verified.",
  }),
  reason: z.string().nullable(),
  add_time: time,
}).openapi("PaymentNotification");

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
    args: ({ query }) => ({ p_outcome: query.outcome, p_page: query.page, p_limit: query.limit, p_cursor: query.cursor }),
  }),
] as const;
