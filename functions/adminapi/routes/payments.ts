import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/route.ts";
import { cursorPaging, id, logOf, money, time } from "../../_shared/schemas.ts";

const outcome = z.enum(["paid", "repeated", "ignored", "refused", "attention", "unverified"]);

const notification = z.strictObject({
  id,
  provider: z.string(),
  event_id: z.string().nullable().openapi({ description: "The provider's own." }),
  order_id: id.nullable().openapi({ description: "Null where the order is unknown or was not looked for." }),
  order_no: z.string().nullable(),
  pay_ref: z.string().nullable(),
  amount: money.nullable(),
  currency: z.string().nullable(),
  outcome: outcome.openapi({
    description: "attention is money that the order could not take; refused does not fit an order; unverified is of unknown origin.",
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
    summary: "What payment providers told us and what came of it, newest first",
    request: { query: cursorPaging.extend({ outcome: outcome.optional() }) },
    answer: logOf(notification),
    calls: "get_payment_notifications",
    args: ({ query }) => ({ p_outcome: query.outcome, p_page: query.page, p_limit: query.limit, p_cursor: query.cursor }),
  }),
] as const;
