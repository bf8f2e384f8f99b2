import type { Environment } from "../ground/env.ts";
import { bytesOf, requireHeaders, requireRecent, signedBytes, Unverified } from "./signed_message.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" };
const MIN_SECRET_BYTES = 24;

type Secret = Uint8Array<ArrayBuffer>;

/** A message with its signature. */
export interface SignedMessage {
  headers: Headers;
  body: Uint8Array;
  receivedAt: Date;
}

/**
 * The secrets of a sender that signs according to Standard Webhooks: `whsec_` and base64, several of them separated by
 * `|` while one is replaced. Supabase Auth writes `v1,` in front of each. @returns undefined if none is set @throws
 * Error if one is not readable or too short
 */
export function readWebhookSecrets(env: Environment, variable: string): Secret[] | undefined {
  const value = env.get(variable);
  if (!value) return undefined;
  return value.split("|").map((part) => {
    const bytes = bytesOf(part.replace(/^(v1,)?whsec_/, ""));
    if (bytes && bytes.length >= MIN_SECRET_BYTES) return bytes;
    throw new Error(`${variable} must be "whsec_" and at least ${MIN_SECRET_BYTES} bytes in base64.`);
  });
}

/**
 * Verifies the HMAC-SHA256 over `id.timestamp.body`.
 * @throws Unverified unless one of the secrets has signed the message within the last minutes
 */
export async function verifyWebhook(
  secrets: readonly Secret[],
  { headers, body, receivedAt }: SignedMessage,
): Promise<void> {
  const signed = requireHeaders(headers, "webhook-id", "webhook-timestamp", "webhook-signature");
  requireRecent(signed["webhook-timestamp"], receivedAt);
  const text = signedBytes(`${signed["webhook-id"]}.${signed["webhook-timestamp"]}.`, body);
  // There may be several signatures while a secret is replaced. Signatures of other versions than v1 are ignored.
  const signatures = signed["webhook-signature"]
    .split(/,?\s+/)
    .filter((part) => part.startsWith("v1,"))
    .map((part) => bytesOf(part.slice(3)))
    .filter((signature) => signature !== undefined);
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey("raw", secret, HMAC, false, ["verify"]);
    for (const signature of signatures) if (await crypto.subtle.verify(HMAC, key, signature, text)) return;
  }
  throw new Unverified("signature_wrong");
}
