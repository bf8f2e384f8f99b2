import { constants, createCipheriv, createSign, type KeyObject, privateDecrypt, randomBytes } from "node:crypto";

export const API_V3_KEY = "0123456789abcdef0123456789abcdef";

/** Encrypts the content of a notification as WeChat Pay does. @returns the resource of the notification */
export function encryptResource(content: unknown, key = API_V3_KEY) {
  const nonce = randomBytes(6).toString("hex");
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from("transaction"));
  const ciphertext = Buffer.concat([
    cipher.update(JSON.stringify(content)),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString("base64");
  return {
    algorithm: "AEAD_AES_256_GCM",
    ciphertext,
    nonce,
    associated_data: "transaction",
    original_type: "transaction",
  };
}

interface Signer {
  key: KeyObject;
  serial: string;
  /** How many seconds the sender's clock is behind. */
  age?: number;
}

/** Signs a response or notification as WeChat Pay does. @returns its headers */
export function signatureHeaders(body: string, { key, serial, age = 0 }: Signer): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000) - age);
  const nonce = randomBytes(16).toString("hex");
  const signature = createSign("RSA-SHA256").update(`${timestamp}\n${nonce}\n${body}\n`).sign(key, "base64");
  return {
    "wechatpay-serial": serial,
    "wechatpay-timestamp": timestamp,
    "wechatpay-nonce": nonce,
    "wechatpay-signature": signature,
  };
}

/** Decrypts personal data of a request as WeChat Pay does. @param text base64 @param key of WeChat Pay */
export function decryptPersonal(text: string, key: KeyObject): string {
  return privateDecrypt(
    { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" },
    Buffer.from(text, "base64"),
  ).toString();
}
