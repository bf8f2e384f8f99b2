import { z } from "@hono/zod-openapi";
import { payment, paymentMethod, startedPayment } from "../../_shared/resources/payments.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { idPath, text } from "../../_shared/resources/schemas.ts";
import { readPayment } from "../payments/read_payment.ts";
import { startPayment } from "../payments/start_payment.ts";
import { receiveNotifications } from "../payments/receive_notification.ts";

const accepted = z.strictObject({ code: z.literal("SUCCESS"), message: z.string() }).openapi("NotificationAccepted");
const refused = z
  .strictObject({
    code: z.literal("FAIL"),
    message: z.string().openapi({ description: "An error code of the store." }),
  })
  .openapi("NotificationRefused");

const paymentRequest = z
  .strictObject({
    provider: text(1, 32).openapi({ description: "A configured provider, for example wechat." }),
    method: paymentMethod,
    openid: text(1, 128).optional().openapi({
      description:
        "The payer's id in the app of the provider. For `jsapi` only. The default is the id with which the member signed in with WeChat.",
    }),
  })
  .refine((body) => body.openid === undefined || body.method === "jsapi", {
    error: "openid is allowed only with the method jsapi.",
    path: ["openid"],
  })
  .openapi("PaymentRequest");

export const paymentRoutes = [
  defineRoute({
    method: "post",
    path: "/api/order/{id}/pay",
    auth: "user",
    tag: "Payments",
    summary: "Start the payment of an order at a provider",
    description:
      "Returns what the client passes to the provider. Repeating the request continues the same payment while it is open. Another " +
      "method or payer ends it and starts a new one. That the client of the provider reports success proves nothing: read " +
      "GET /api/order/{id}/payment.",
    request: { path: idPath, body: paymentRequest },
    response: startedPayment,
    errors: [
      "order_not_found",
      "order_state_conflict",
      "order_already_paid",
      "provider_not_configured",
      "provider_refused",
      "provider_unavailable",
    ],
    calls: "open_payment",
    isPayment: true,
    handler: startPayment,
  }),
  defineRoute({
    method: "get",
    path: "/api/order/{id}/payment",
    auth: "user",
    tag: "Payments",
    summary: "The state of the payment of an order",
    description: "While a payment is open, the provider is queried, at most once in two seconds.",
    request: { path: idPath },
    response: payment,
    errors: ["order_not_found"],
    calls: "get_payment",
    isPayment: true,
    handler: readPayment,
  }),
  defineRoute({
    method: "post",
    path: "/api/pay/notify/{provider}",
    auth: "public",
    tag: "Payments",
    summary: "Receive a notification of a provider about a payment, a refund or a transfer",
    description:
      "For configured providers: wechat (WeChat Pay, API v3), hmac (Standard Webhooks) and, in the local stack, local. The signature over the raw " +
      "body authenticates the sender. Repeated notifications have no second effect. The order is settled in the background. Refunds and transfers that the store did not request are accepted " +
      "without an effect.",
    request: { path: z.strictObject({ provider: z.string().openapi({ example: "wechat" }) }), body: z.looseObject({}) },
    response: accepted,
    errors: ["route_not_found", "signature_invalid", "payment_refused"],
    calls: "record_payment_notification",
    isPayment: true,
    errorResponse: refused,
    handler: receiveNotifications,
  }),
] as const;
