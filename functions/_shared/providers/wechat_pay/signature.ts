import { toBase64 } from "../../ground/base64.ts";
import { bytesOf, requireHeaders, requireRecent, signedBytes, Unverified } from "../signed_message.ts";
import { type Merchant, publicKeyId, type RequestingMerchant } from "./merchant.ts";

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
// The hash that WeChat Pay prescribes.
const OAEP = { name: "RSA-OAEP", hash: "SHA-1" };

/** A notification or a response of WeChat Pay. Both are signed in the same way. */
export interface WechatPayMessage {
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
  receivedAt: Date;
}

/** Verifies the sender of a message. @throws Unverified unless WeChat Pay signed it within the last five minutes */
export async function verifySignature(
  { publicKeys }: Pick<Merchant, "publicKeys">,
  { headers, body, receivedAt }: WechatPayMessage,
): Promise<void> {
  const signed = requireHeaders(
    headers,
    "wechatpay-serial",
    "wechatpay-signature",
    "wechatpay-timestamp",
    "wechatpay-nonce",
  );
  requireRecent(signed["wechatpay-timestamp"], receivedAt);
  const serial = signed["wechatpay-serial"];
  if (!Object.hasOwn(publicKeys, serial)) throw new Unverified("key_unknown");

  const key = await crypto.subtle.importKey("spki", publicKeys[serial]!, RSA, false, ["verify"]);
  const signature = bytesOf(signed["wechatpay-signature"]);
  const text = signedBytes(`${signed["wechatpay-timestamp"]}\n${signed["wechatpay-nonce"]}\n`, body, "\n");
  // WeChat Pay also sends probes with an invalid signature, which must be rejected.
  if (!signature || !(await crypto.subtle.verify(RSA, key, signature, text))) throw new Unverified("signature_wrong");
}

/** Signs lines with the merchant's private key. Each line ends with a line feed, the last one, too. @returns base64 */
export async function signLines(
  { privateKey }: Pick<RequestingMerchant, "privateKey">,
  lines: string[],
): Promise<string> {
  const key = await crypto.subtle.importKey("pkcs8", privateKey, RSA, false, ["sign"]);
  const text = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
  return toBase64(new Uint8Array(await crypto.subtle.sign(RSA, key, text)));
}

/**
 * Encrypts personal data of a request with a public key of WeChat Pay.
 * @returns base64, and the serial number of the key, which the request names
 */
export async function encryptForWechatPay(
  { publicKeys }: Pick<Merchant, "publicKeys">,
  text: string,
): Promise<{ serial: string; text: string }> {
  const serial = publicKeyId(publicKeys) ?? Object.keys(publicKeys)[0];
  if (serial === undefined) throw new Error("STORE_WECHAT_PAY_PUBLIC_KEYS has no key");
  const key = await crypto.subtle.importKey("spki", publicKeys[serial]!, OAEP, false, ["encrypt"]);
  const encrypted = await crypto.subtle.encrypt({ name: OAEP.name }, key, new TextEncoder().encode(text));
  return { serial, text: toBase64(new Uint8Array(encrypted)) };
}

/** A random string for a signature. */
export function newNonce(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** The time as signatures contain it. */
export function secondsNow(): string {
  return String(Math.floor(Date.now() / 1000));
}
