import { fromBase64 } from "../../_shared/base64.ts";
import type { Arguments } from "../../_shared/database.ts";
import type { Environment } from "../../_shared/env.ts";

/** A notification as it arrived. What is signed are the bytes, so nothing may have been read out of them before. */
export interface Notification {
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
  receivedAt: Date;
}

/** What a verified notification says. Whether it fits an order is the database's word. */
export interface PaymentEvent {
  /** The provider's own id of the event; null where even that cannot be read. */
  eventId: string | null;
  /** `other` is genuine, but nothing that pays an order. */
  kind: "payment" | "other";
  /** What is wrong with it although it is genuine: it is recorded and refused. */
  fault?: "merchant_differs" | "resource_unreadable" | "content_unreadable";
  orderNo?: string;
  payRef?: string;
  /** In the smallest unit of the currency. */
  amountMinor?: number;
  currency?: string;
}

/** One way of being told of payments. */
export interface PaymentProvider {
  /** Verifies a notification and reads it. @throws Unverified unless the provider has signed it, lately */
  read(notification: Notification): Promise<PaymentEvent>;
}

/** Makes a provider of its settings, or nothing where it is not configured. @throws with what to set where settings are wrong */
export type CreateProvider = (env: Environment) => PaymentProvider | undefined;

/** Why a notification cannot be believed. */
export type UnverifiedReason = "headers_missing" | "timestamp_out_of_range" | "key_unknown" | "signature_wrong";

/** Thrown where nobody knows who sent a notification. */
export class Unverified extends Error {
  constructor(readonly reason: UnverifiedReason) {
    super(reason);
  }
}

const MOST_SECONDS_APART = 300;

/** Refuses a notification whose clock is more than five minutes away from ours, so that an old one cannot be sent again. */
export function requireRecent(timestamp: string, receivedAt: Date): void {
  const apart = Math.abs(receivedAt.getTime() / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || apart > MOST_SECONDS_APART) throw new Unverified("timestamp_out_of_range");
}

/** Takes the headers that a signature needs. @throws Unverified where one is missing */
export function requireHeaders<Name extends string>(headers: Headers, ...names: Name[]): Record<Name, string> {
  const values = names.map((name) => [name, headers.get(name)] as const);
  if (values.some(([, value]) => !value)) throw new Unverified("headers_missing");
  return Object.fromEntries(values) as Record<Name, string>;
}

/** Texts and bytes as the one text that is signed. */
export function signedBytes(before: string, body: Uint8Array, after = ""): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts = [encoder.encode(before), body, encoder.encode(after)];
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  parts.reduce((offset, part) => (bytes.set(part, offset), offset + part.length), 0);
  return bytes;
}

/** The bytes of a base64 text, or undefined where it is none. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return fromBase64(base64);
  } catch {
    return undefined;
  }
}

/** The JSON value of some bytes, or undefined where they are none. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** An event as arguments of `api.record_payment_notification`. */
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
