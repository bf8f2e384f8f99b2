import { fromBase64 } from "../ground/base64.ts";

/** Why the sender of a message could not be verified. */
export type UnverifiedReason = "headers_missing" | "timestamp_out_of_range" | "key_unknown" | "signature_wrong";

/** The sender of a message could not be verified. */
export class Unverified extends Error {
  constructor(readonly reason: UnverifiedReason) {
    super(reason);
  }
}

const MAX_SECONDS_APART = 300;

/** Prevents replays. @throws Unverified if the timestamp differs from our clock by more than five minutes */
export function requireRecent(timestamp: string, receivedAt: Date): void {
  const apart = Math.abs(receivedAt.getTime() / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || apart > MAX_SECONDS_APART) throw new Unverified("timestamp_out_of_range");
}

/** Returns the headers that a signature needs. @throws Unverified if one is missing */
export function requireHeaders<Name extends string>(headers: Headers, ...names: Name[]): Record<Name, string> {
  const values = names.map((name) => [name, headers.get(name)] as const);
  if (values.some(([, value]) => !value)) throw new Unverified("headers_missing");
  return Object.fromEntries(values) as Record<Name, string>;
}

/** Concatenates the parts of a signed message. */
export function signedBytes(before: string, body: Uint8Array, after = ""): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts = [encoder.encode(before), body, encoder.encode(after)];
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  parts.reduce((offset, part) => (bytes.set(part, offset), offset + part.length), 0);
  return bytes;
}

/** Decodes base64. @returns undefined if the text is not base64 */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return fromBase64(base64);
  } catch {
    return undefined;
  }
}

/** Parses JSON. @returns undefined if the bytes are not JSON in UTF-8 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
