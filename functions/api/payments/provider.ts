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
