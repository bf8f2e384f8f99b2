import { toBase64 } from "../ground/base64.ts";
import type { Environment } from "../ground/env.ts";
import { hex } from "../ground/hex.ts";
import { readSecretKey } from "../ground/secret_key.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" };

/** What makes the secrets of webhooks from their salts. */
export type SecretOf = (salt: string) => Promise<Uint8Array<ArrayBuffer>>;

/**
 * What makes the secrets of webhooks; undefined if the store has no key.
 * @throws Error that names the variable to set, if it has another form
 */
export function readWebhookSecret(env: Environment): SecretOf | undefined {
  const key = readSecretKey(env, "STORE_WEBHOOK_KEY");
  return key && ((salt) => sign(key, new TextEncoder().encode(`webhook ${salt}`)));
}

/** A salt for another secret. The database keeps it, and without the key it tells nothing. */
export const newSalt = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));

/** A secret as Standard Webhooks writes it. */
export const secretText = (secret: Uint8Array): string => `whsec_${toBase64(secret)}`;

/**
 * The headers of a message according to Standard Webhooks, with a signature of each secret.
 * @param timestamp in seconds
 */
export async function signedHeaders(
  secrets: readonly Uint8Array<ArrayBuffer>[],
  id: string,
  timestamp: number,
  body: string,
) {
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = await Promise.all(secrets.map(async (secret) => `v1,${toBase64(await sign(secret, signed))}`));
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signatures.join(" ") };
}

async function sign(secret: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", secret, HMAC, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes));
}
