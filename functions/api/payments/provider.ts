import { fromBase64 } from "../../_shared/base64.ts";
import type { Arguments } from "../../_shared/database.ts";
import type { Environment } from "../../_shared/env.ts";

/** A raw notification. The signature covers the exact bytes of the body, so the body must not be parsed before verification. */
export interface Notification {
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
  receivedAt: Date;
}

/** The content of a verified notification. The database decides whether it matches an order. */
export interface PaymentEvent {
  /** The provider's id of the event; null if it cannot be read. */
  eventId: string | null;
  /** `other` is a genuine notification that reports no payment. */
  kind: "payment" | "other";
  /** Why a genuine notification cannot be processed. It is recorded as refused. */
  fault?: "merchant_differs" | "resource_unreadable" | "content_unreadable";
  orderNo?: string;
  payRef?: string;
  /** In the smallest unit of the currency. */
  amountMinor?: number;
  currency?: string;
}

/** Verifies and parses the notifications of a provider. */
export interface NotificationReader {
  /** Verifies and parses a notification. @throws Unverified unless the provider signed it within the last five minutes */
  read(notification: Notification): Promise<PaymentEvent>;
}

/** Creates the reader of a provider. @returns undefined if the provider is not configured. @throws Error that names the invalid settings */
export type CreateReader = (env: Environment) => NotificationReader | undefined;

/** Why a notification could not be verified. */
export type UnverifiedReason = "headers_missing" | "timestamp_out_of_range" | "key_unknown" | "signature_wrong";

/** The sender of a notification could not be verified. */
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

/** Maps an event to the arguments of `api.record_payment_notification`. */
export function eventArguments(provider: string, event: PaymentEvent): Arguments<"record_payment_notification"> {
  return {
    p_provider: provider,
    p_event_id: event.eventId,
    p_kind: event.kind,
    p_fault: event.fault,
    p_order_no: event.orderNo,
    p_pay_ref: event.payRef,
    p_amount_minor: event.amountMinor,
    p_currency: event.currency,
  };
}
