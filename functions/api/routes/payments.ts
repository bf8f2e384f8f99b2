import { z } from "@hono/zod-openapi";
import { payment, paymentMethod, startedPayment } from "../../_shared/resources/payments.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { idPath, text } from "../../_shared/resources/schemas.ts";
import { readPayment } from "../payments/read_payment.ts";
import { startPayment } from "../payments/start_payment.ts";
import { receiveNotifications } from "../payments/receive_notification.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const accepted = z.strictObject({ code: z.literal("SUCCESS"), message: z.string() }).openapi("NotificationAccepted");
const refused = z
  .strictObject({
    code: z.literal("FAIL"),
    message: z.string().openapi({ description: bilingual("An error code of the store.", "商城的错误代码。") }),
  })
  .openapi("NotificationRefused");

const paymentRequest = z
  .strictObject({
    provider: text(1, 32).openapi({
      description: bilingual("A configured provider, for example wechat.", "已配置的支付机构，例如 wechat。"),
    }),
    method: paymentMethod,
    openid: text(1, 128)
      .optional()
      .openapi({
        description: bilingual(
          "The payer's id in the app of the provider. For `jsapi` only. The default is the id with which the member signed in with WeChat.",
          "付款人在支付机构应用中的 id，仅用于 `jsapi`。默认为会员微信登录所用的 id。",
        ),
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
    summary: bilingual("Start the payment of an order at a provider", "在支付机构发起订单付款"),
    description: bilingual(
      "Returns what the client passes to the provider. Repeating the request continues the same payment while it is open. Another " +
        "method or payer ends it and starts a new one. That the client of the provider reports success proves nothing: read " +
        "GET /api/order/{id}/payment.",
      "返回客户端传给支付机构的内容。支付进行中时，重复请求将继续同一笔支付；更换方式或付款人则结束并重新发起。支付客户端报告成功不足为凭，请查询 GET /api/order/{id}/payment。",
    ),
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
    summary: bilingual("The state of the payment of an order", "订单的付款状态"),
    description: bilingual(
      "While a payment is open, the provider is queried, at most once in two seconds.",
      "支付进行中时查询支付机构，至多每两秒一次。",
    ),
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
    summary: bilingual(
      "Receive a notification of a provider about a payment, a refund or a transfer",
      "接收支付机构关于付款、退款或转账的通知",
    ),
    description: bilingual(
      "For configured providers: wechat (WeChat Pay, API v3), hmac (Standard Webhooks) and, in the local stack, local. The signature over the raw " +
        "body authenticates the sender. Repeated notifications have no second effect. The order is settled in the background. Refunds and transfers that the store did not request are accepted " +
        "without an effect.",
      "适用于已配置的支付机构：wechat（微信支付 API v3）、hmac（Standard Webhooks），以及本地环境的 local。以原始请求体的签名验证发送方。重复通知不会再次生效。订单在后台结算。非商城发起的退款与转账通知会被接收但不产生影响。",
    ),
    request: { path: z.strictObject({ provider: z.string().openapi({ example: "wechat" }) }), body: z.looseObject({}) },
    response: accepted,
    errors: ["route_not_found", "signature_invalid", "payment_refused"],
    calls: "record_payment_notification",
    isPayment: true,
    errorResponse: refused,
    handler: receiveNotifications,
  }),
] as const;
