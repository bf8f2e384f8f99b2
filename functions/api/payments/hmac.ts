import { z } from "@hono/zod-openapi";
import type { Environment } from "../../_shared/env.ts";
import { createLocalProvider } from "../../_shared/providers/local.ts";
import type { Notification, NotificationReader, PaymentEvent } from "../../_shared/providers/notification.ts";
import { bytesOf, parseJson, requireHeaders, requireRecent, signedBytes, Unverified } from "../../_shared/providers/signed_message.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" };
const MIN_SECRET_BYTES = 24;
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
export const createLocal = (env: Environment) => createLocalProvider(env) && createHmacReader(env, "STORE_LOCAL_PAYMENTS_SECRET");

/**
 * A provider, or a bridge to one, that signs notifications according to Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`. The body
 * is `{type: "payment.succeeded", data: {order_no, pay_ref, amount, currency}}`, with the amount in the smallest unit of the currency.
 */
function createHmacReader(env: Environment, variable: string): NotificationReader | undefined {
  const secret = env.get(variable);
  if (!secret) return undefined;
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (!bytes || bytes.length < MIN_SECRET_BYTES) {
    throw new Error(`${variable} must be "whsec_" and at least ${MIN_SECRET_BYTES} bytes in base64.`);
  }
  return {
    read: async (notification) => {
      await verify(bytes, notification);
      return readEvent(notification);
    },
  };
}

async function verify(secret: Uint8Array<ArrayBuffer>, { headers, body, receivedAt }: Notification): Promise<void> {
  const signed = requireHeaders(headers, "webhook-id", "webhook-timestamp", "webhook-signature");
  requireRecent(signed["webhook-timestamp"], receivedAt);
  const key = await crypto.subtle.importKey("raw", secret, HMAC, false, ["verify"]);
  const text = signedBytes(`${signed["webhook-id"]}.${signed["webhook-timestamp"]}.`, body);
  // There may be several signatures while a secret is rotated. Signatures of other versions than v1 are ignored.
  const signatures = signed["webhook-signature"]
    .split(" ")
    .filter((part) => part.startsWith("v1,"))
    .map((part) => bytesOf(part.slice(3)));
  for (const signature of signatures) {
    if (signature && (await crypto.subtle.verify(HMAC, key, signature, text))) return;
  }
  throw new Unverified("signature_wrong");
}

function readEvent({ headers, body }: Notification): PaymentEvent {
  const eventId = headers.get("webhook-id")!.slice(0, 128);
  const parsed = content.safeParse(parseJson(body)).data;
  if (!parsed) return { eventId, kind: "other", fault: "content_unreadable" };
  const { order_no: orderNo, pay_ref: payRef, amount: amountMinor, currency } = parsed.data;
  return { eventId, kind: parsed.type === "payment.succeeded" ? "payment" : "other", orderNo, payRef, amountMinor, currency };
}
