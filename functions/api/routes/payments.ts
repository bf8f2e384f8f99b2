import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/route.ts";
import { receiveNotifications } from "../payments/receive_notification.ts";

const accepted = z.strictObject({ code: z.literal("SUCCESS"), message: z.string() }).openapi("NotificationAccepted");
const refused = z.strictObject({
  code: z.literal("FAIL"),
  message: z.string().openapi({ description: "An error code of the store." }),
}).openapi("NotificationRefused");

export const paymentRoutes = [
  defineRoute({
    method: "post",
    path: "/api/pay/notify/{provider}",
    auth: "public",
    tag: "Payments",
    summary: "Receive a payment notification of a provider",
    description: "For configured providers: wechat (WeChat Pay, API v3) and hmac (Standard Webhooks). The signature over the raw " +
      "body authenticates the sender. Repeated notifications have no second effect. The order is settled in the background.",
    request: { path: z.strictObject({ provider: z.string() }), body: z.looseObject({}) },
    response: accepted,
    errors: ["route_not_found", "signature_invalid", "payment_refused"],
    calls: "record_payment_notification",
    errorResponse: refused,
    handler: receiveNotifications,
  }),
] as const;
