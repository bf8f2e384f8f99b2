import { toBase64 } from "../../base64.ts";
import { type Merchant, publicKeyId } from "./merchant.ts";

// The hash that WeChat Pay prescribes.
const OAEP = { name: "RSA-OAEP", hash: "SHA-1" };

/** Encrypts personal data of a request with a public key of WeChat Pay. @returns base64, and the serial number of the key, which the request names */
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
