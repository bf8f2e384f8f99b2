import type { Environment } from "../ground/env.ts";
import type { ReportedTransfer } from "./wechat_pay/transfers.ts";
import type { ReportedRefund } from "./provider.ts";

/**
 * A raw notification. The signature covers the exact bytes of the body, so the body must not be parsed before
 * verification.
 */
export interface Notification {
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
  receivedAt: Date;
}

/**
 * The content of a verified notification. The database decides whether it matches an order, a refund or a withdrawal.
 */
export type ProviderEvent = PaymentEvent | RefundEvent | TransferEvent;

/** A notification of the state of a refund. */
export interface RefundEvent {
  kind: "refund";
  eventId: string;
  /** The number of the payment attempt. */
  paymentNo: string;
  payRef: string;
  /** The refunded amount, in the smallest unit of the currency. */
  amountMinor: number;
  /** The store's number of the refund. */
  refundNo: string;
  reported: ReportedRefund;
}

/** A notification of the state of a transfer to a member. */
export interface TransferEvent {
  kind: "transfer";
  eventId: string;
  /** The number of the withdrawal. */
  withdrawalNo: string;
  openid: string;
  /** The transferred amount, in the smallest unit of the currency. */
  amountMinor: number;
  reported: ReportedTransfer;
}

/** A notification of a payment, or one that needs no action. */
export interface PaymentEvent {
  /** The provider's id of the event; null if it cannot be read. */
  eventId: string | null;
  /** `other` is a genuine notification that reports neither a payment nor a refund nor a transfer. */
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
  /**
   * Verifies and parses a notification.
   * @throws Unverified unless the provider signed it within the last five minutes
   */
  read(notification: Notification): Promise<ProviderEvent>;
}

/**
 * Creates the reader of a provider.
 * @returns undefined if the provider is not configured.
 * @throws Error that names the invalid settings
 */
export type CreateReader = (env: Environment) => NotificationReader | undefined;
