import { z } from "@hono/zod-openapi";
import type { Environment } from "../../_shared/env.ts";
import {
  bytesOf,
  type Notification,
  parseJson,
  type PaymentEvent,
  type NotificationReader,
  requireHeaders,
  requireRecent,
  signedBytes,
  Unverified,
} from "./provider.ts";

/** The merchant's settings for WeChat Pay. */
interface Merchant {
  mchid: string;
  /** The mini program and other apps that take payments for this merchant. */
  appids: string[];
  /** The APIv3 key (32 bytes), which encrypts the content of notifications. */
  apiV3Key: Uint8Array<ArrayBuffer>;
  /** Public keys that verify notifications, by serial number: WeChat Pay's own, or those of platform certificates. */
  publicKeys: Record<string, Uint8Array<ArrayBuffer>>;
}

const VARIABLES = ["MCHID", "APPIDS", "API_V3_KEY", "PUBLIC_KEYS"] as const;
const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const shortText = z.string().min(1).max(128);

const envelope = z.object({
  id: shortText,
  event_type: z.string(),
  resource: z.object({
    algorithm: z.literal("AEAD_AES_256_GCM"),
    ciphertext: z.string(),
    nonce: z.string(),
    associated_data: z.string().nullish(),
  }),
});

const transaction = z.object({
  mchid: z.string(),
  appid: z.string(),
  out_trade_no: shortText,
  transaction_id: shortText,
  trade_state: z.string(),
  amount: z.object({ total: z.int().min(0).max(10 ** 13), currency: z.string().min(1).max(16) }),
});

/** WeChat Pay, API v3. */
export function createWechatPay(env: Environment): NotificationReader | undefined {
  const merchant = readMerchant(env);
  return merchant && {
    read: async (notification) => {
      await verify(merchant, notification);
      return readEvent(merchant, notification.body);
    },
  };
}

function readMerchant(env: Environment): Merchant | undefined {
  const [mchid, appids, apiV3Key, publicKeys] = VARIABLES.map((name) => env.get(`STORE_WECHAT_PAY_${name}`) || undefined);
  if (!mchid && !appids && !apiV3Key && !publicKeys) return undefined;
  if (!mchid || !appids || !apiV3Key || !publicKeys) {
    throw new Error(`Set all of ${VARIABLES.map((name) => `STORE_WECHAT_PAY_${name}`).join(", ")}, or none of them.`);
  }
  const key = new TextEncoder().encode(apiV3Key);
  if (key.length !== 32) throw new Error("STORE_WECHAT_PAY_API_V3_KEY must have 32 bytes.");
  return { mchid, appids: appids.split(",").map((appid) => appid.trim()), apiV3Key: key, publicKeys: readPublicKeys(publicKeys) };
}

function readPublicKeys(text: string): Merchant["publicKeys"] {
  try {
    const pems = z.record(z.string().min(1), z.string()).parse(JSON.parse(text));
    return Object.fromEntries(Object.entries(pems).map(([serial, pem]) => {
      const base64 = /-----BEGIN PUBLIC KEY-----([\sA-Za-z0-9+/=]+)-----END PUBLIC KEY-----/.exec(pem)?.[1];
      const der = base64 && bytesOf(base64.replaceAll(/\s/g, ""));
      if (!der) throw new Error("not a public key in PEM");
      return [serial, der];
    }));
  } catch (error) {
    throw new Error("STORE_WECHAT_PAY_PUBLIC_KEYS must be a JSON object that maps serial numbers to public keys in PEM.", { cause: error });
  }
}

async function verify({ publicKeys }: Merchant, { headers, body, receivedAt }: Notification): Promise<void> {
  const signed = requireHeaders(headers, "wechatpay-serial", "wechatpay-signature", "wechatpay-timestamp", "wechatpay-nonce");
  requireRecent(signed["wechatpay-timestamp"], receivedAt);
  const serial = signed["wechatpay-serial"];
  if (!Object.hasOwn(publicKeys, serial)) throw new Unverified("key_unknown");

  const key = await crypto.subtle.importKey("spki", publicKeys[serial]!, RSA, false, ["verify"]);
  const signature = bytesOf(signed["wechatpay-signature"]);
  const text = signedBytes(`${signed["wechatpay-timestamp"]}\n${signed["wechatpay-nonce"]}\n`, body, "\n");
  // WeChat Pay also sends probes with an invalid signature, which must be rejected.
  if (!signature || !(await crypto.subtle.verify(RSA, key, signature, text))) throw new Unverified("signature_wrong");
}

async function readEvent(merchant: Merchant, body: Uint8Array): Promise<PaymentEvent> {
  const outer = envelope.safeParse(parseJson(body)).data;
  if (!outer) return { eventId: null, kind: "other", fault: "content_unreadable" };
  const eventId = outer.id;
  // Notifications of refunds, for example, arrive at the same address.
  if (!outer.event_type.startsWith("TRANSACTION.")) return { eventId, kind: "other" };

  const plain = await decrypt(merchant.apiV3Key, outer.resource);
  if (!plain) return { eventId, kind: "other", fault: "resource_unreadable" };
  const inner = transaction.safeParse(parseJson(plain)).data;
  if (!inner) return { eventId, kind: "other", fault: "content_unreadable" };
  const isOurs = inner.mchid === merchant.mchid && merchant.appids.includes(inner.appid);
  return {
    eventId,
    kind: inner.trade_state === "SUCCESS" ? "payment" : "other",
    ...(!isOurs && { fault: "merchant_differs" }),
    orderNo: inner.out_trade_no,
    payRef: inner.transaction_id,
    amountMinor: inner.amount.total,
    currency: inner.amount.currency,
  };
}

async function decrypt(apiV3Key: Uint8Array<ArrayBuffer>, resource: z.infer<typeof envelope>["resource"]): Promise<Uint8Array | undefined> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const ciphertext = bytesOf(resource.ciphertext);
  if (!ciphertext) return undefined;
  const key = await crypto.subtle.importKey("raw", apiV3Key, "AES-GCM", false, ["decrypt"]);
  const algorithm = { name: "AES-GCM", iv: bytes(resource.nonce), additionalData: bytes(resource.associated_data ?? "") };
  return crypto.subtle.decrypt(algorithm, key, ciphertext).then((plain) => new Uint8Array(plain), () => undefined);
}
