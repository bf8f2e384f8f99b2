import { z } from "@hono/zod-openapi";
import type { Environment } from "../../_shared/ground/env.ts";
import { createLocalProvider } from "../../_shared/providers/local.ts";
import type { Notification, NotificationReader, PaymentEvent } from "../../_shared/providers/notification.ts";
import { parseJson } from "../../_shared/providers/signed_message.ts";
import { readWebhookSecrets, verifyWebhook } from "../../_shared/providers/standard_webhook.ts";

const shortText = z.string().min(1).max(128);

const content = z.object({
  type: z.string(),
  data: z.object({
    order_no: shortText,
    pay_ref: shortText,
    amount: z
      .int()
      .min(0)
      .max(10 ** 13),
    currency: z.string().min(1).max(16),
  }),
});

/** A provider, or a bridge to one, whose secret is in STORE_PAY_HMAC_SECRET. */
export const createHmac = (env: Environment) => createHmacReader(env, "STORE_PAY_HMAC_SECRET");

/** The provider of the local stack, which signs in the same way. @throws Error outside a local stack */
export const createLocal = (env: Environment) =>
  createLocalProvider(env) && createHmacReader(env, "STORE_LOCAL_PAYMENTS_SECRET");

/**
 * A provider, or a bridge to one, that signs notifications according to Standard Webhooks: HMAC-SHA256 over
 * `id.timestamp.body`. The body is `{type: "payment.succeeded", data: {order_no, pay_ref, amount, currency}}`, with the
 * amount in the smallest unit of the currency.
 */
function createHmacReader(env: Environment, variable: string): NotificationReader | undefined {
  const secrets = readWebhookSecrets(env, variable);
  return (
    secrets && {
      read: async (notification) => {
        await verifyWebhook(secrets, notification);
        return readEvent(notification);
      },
    }
  );
}

function readEvent({ headers, body }: Notification): PaymentEvent {
  const eventId = headers.get("webhook-id")!.slice(0, 128);
  const parsed = content.safeParse(parseJson(body)).data;
  if (!parsed) return { eventId, kind: "other", fault: "content_unreadable" };
  const { order_no: orderNo, pay_ref: payRef, amount: amountMinor, currency } = parsed.data;
  return {
    eventId,
    kind: parsed.type === "payment.succeeded" ? "payment" : "other",
    orderNo,
    payRef,
    amountMinor,
    currency,
  };
}
