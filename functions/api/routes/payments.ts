import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/route.ts";
import { receiveNotifications } from "../payments/receive_notification.ts";

const accepted = z.strictObject({ code: z.literal("SUCCESS"), message: z.string() }).openapi("NotificationAccepted");
const refused = z.strictObject({
  code: z.literal("FAIL"),
  message: z.string().openapi({ description: "One of our error codes." }),
}).openapi("NotificationRefused");

export const paymentRoutes = [
  defineRoute({
    method: "post",
    path: "/api/pay/notify/{provider}",
    auth: "public",
    tag: "Payments",
    summary: "A payment provider tells of a payment",
    description: "For providers that are configured: wechat (WeChat Pay, API v3) and hmac (Standard Webhooks). The signature over " +
      "the body, as it was sent, says who speaks. Repeating a notification is harmless. Settlement starts right after the answer.",
    request: { path: z.strictObject({ provider: z.string() }), body: z.looseObject({}) },
    answer: accepted,
    errors: ["route_not_found", "signature_invalid", "payment_refused"],
    calls: "record_payment_notification",
    refusal: refused,
    handler: receiveNotifications,
  }),
] as const;
