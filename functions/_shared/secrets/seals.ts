import { fromBase64 } from "../ground/base64.ts";
import type { Environment } from "../ground/env.ts";
import { fromHex, hex } from "../ground/hex.ts";
import { readSecretKey } from "../ground/secret_key.ts";

/** A seal as it is published: a line of the list (docs/seals.md). Bytes are hexadecimal digits. */
export interface Seal {
  month: string;
  rows: number;
  root: string;
  /** The root of the month before. Null in the first seal. */
  previous: string | null;
  /** The public key that verifies the signature. */
  key: string;
  signature: string;
  /** The signature of the key of the month before, which vouches for a new key. */
  former_signature: string | null;
}

/** A closed month, for its seal (app.month_root). */
export interface MonthRoot extends Pick<Seal, "month" | "rows" | "root" | "previous"> {
  former_key: string | null;
}

/** A key that signs. */
export interface SigningKey {
  publicKey: string;
  sign: (text: string) => Promise<string>;
}

/** What seals months. */
export interface Sealer {
  secret: Uint8Array<ArrayBuffer>;
  key: SigningKey;
  /** The key before this one, while one replaces the other. */
  formerKey: SigningKey | undefined;
}

/** An Ed25519 private key in PKCS #8 is this, and 32 bytes (RFC 8410). */
const PKCS8_PREFIX = "302e020100300506032b657004220420";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** What a signature of a seal signs. */
const sealText = ({ month, rows, root, previous, key }: Omit<Seal, "signature" | "former_signature">): string =>
  ["store-seal-1", month, rows, root, previous ?? "", key].join("|");

/** The secret from which those of the months are derived. Undefined if the store makes no seals. */
export const readSealSecret = (env: Environment) => readSecretKey(env, "STORE_SEAL_SECRET");

/** What seals months; undefined if it is not configured. @throws Error if only a part of it is */
export async function readSealer(env: Environment): Promise<Sealer | undefined> {
  const secret = readSealSecret(env);
  const key = readSecretKey(env, "STORE_SEAL_KEY");
  const formerKey = readSecretKey(env, "STORE_SEAL_FORMER_KEY");
  if (!key) return undefined;
  if (!secret) throw new Error("STORE_SEAL_KEY is set without STORE_SEAL_SECRET.");
  return { secret, key: await openKey(key), formerKey: formerKey && (await openKey(formerKey)) };
}

async function openKey(seed: Uint8Array): Promise<SigningKey> {
  const key = await crypto.subtle.importKey("pkcs8", fromHex(PKCS8_PREFIX + hex(seed)), "Ed25519", true, ["sign"]);
  const { x } = await crypto.subtle.exportKey("jwk", key);
  return {
    publicKey: hex(fromBase64(x!.replaceAll("-", "+").replaceAll("_", "/"))),
    sign: async (text) => hex(new Uint8Array(await crypto.subtle.sign("Ed25519", key, bytesOf(text)))),
  };
}

/** The secret of a month, from which the database derives the salts of its rows. */
export async function monthSecret(secret: Uint8Array<ArrayBuffer>, month: string): Promise<string> {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytesOf(month))));
}

/** Signs a month. The former key vouches for a new one, if it is there. */
export async function signSeal({ former_key, ...month }: MonthRoot, { key, formerKey }: Sealer): Promise<Seal> {
  const content = { ...month, key: key.publicKey };
  const vouches = former_key !== null && former_key !== key.publicKey && formerKey?.publicKey === former_key;
  return {
    ...content,
    signature: await key.sign(sealText(content)),
    former_signature: vouches ? await formerKey.sign(sealText(content)) : null,
  };
}

/** Whether a key has signed a seal. */
export async function isSignedBy(key: string, signature: string, seal: Seal): Promise<boolean> {
  const publicKey = await crypto.subtle.importKey("raw", fromHex(key), "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", publicKey, fromHex(signature), bytesOf(sealText(seal)));
}
