import { readBytes } from "../../ground/read_bytes.ts";
import { parseJson } from "../signed_message.ts";
import { publicKeyId, type RequestingMerchant } from "./merchant.ts";
import { newNonce, secondsNow, signLines, verifySignature } from "./signature.ts";

/** A verified response of WeChat Pay. */
export interface WechatPayResponse {
  status: number;
  /** Empty unless the body is a JSON object. Errors have a `code`. */
  body: Record<string, unknown>;
}

/** Two requests, of which some calls consist, end within ten seconds. */
const DEADLINE_MS = 4500;
const MAX_BYTES = 64 * 1024;
const SCHEMA = "WECHATPAY2-SHA256-RSA2048";

/**
 * Sends a signed request to WeChat Pay and verifies the signature of the response. A response that cannot be verified
 * is no proof that a payment was made or refused.
 * @param serial the key with which a part of the request is encrypted
 * @throws Error if no response arrives in time, or Unverified if WeChat Pay did not sign it: the outcome is unknown
 */
export async function askWechatPay(
  merchant: RequestingMerchant,
  method: "GET" | "POST",
  path: string,
  content?: object,
  serial?: string,
): Promise<WechatPayResponse> {
  const body = content ? JSON.stringify(content) : "";
  const response = await fetch(merchant.apiUrl + path, {
    method,
    headers: {
      accept: "application/json",
      authorization: await authorization(merchant, method, path, body),
      ...(content && { "content-type": "application/json" }),
      ...keyOfResponses(merchant, serial),
    },
    ...(content && { body }),
    redirect: "error",
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const bytes = await readBytes(response, MAX_BYTES);
  await verifySignature(merchant, { headers: response.headers, body: bytes, receivedAt: new Date() });
  const value = parseJson(bytes);
  return {
    status: response.status,
    body: typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {},
  };
}

async function authorization(
  merchant: RequestingMerchant,
  method: string,
  path: string,
  body: string,
): Promise<string> {
  const [timestamp, nonce] = [secondsNow(), newNonce()];
  const signature = await signLines(merchant, [method, path, timestamp, nonce, body]);
  const fields = { mchid: merchant.mchid, nonce_str: nonce, timestamp, serial_no: merchant.serial, signature };
  return `${SCHEMA} ${Object.entries(fields)
    .map(([name, value]) => `${name}="${value}"`)
    .join(",")}`;
}

/**
 * Has WeChat Pay sign the response with its own key instead of that of a platform certificate, if the store knows the
 * key.
 */
function keyOfResponses({ publicKeys }: RequestingMerchant, encryptedWith?: string): Record<string, string> {
  const serial = encryptedWith ?? publicKeyId(publicKeys);
  return serial === undefined ? {} : { "wechatpay-serial": serial };
}

/** The error for a response after which the outcome is unknown. Administrators see the code. */
export function unexpectedResponse(what: string, { status, body }: WechatPayResponse): Error {
  return new Error(`WeChat Pay's response to ${what}: ${status} ${errorCode(body)}`.trim());
}

/** The code of an error response; empty if it has none. */
export function errorCode(body: WechatPayResponse["body"]): string {
  return typeof body.code === "string" ? body.code : "";
}
