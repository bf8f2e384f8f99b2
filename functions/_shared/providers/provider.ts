/**
 * How a payer pays: inside the app of the provider (`jsapi`), in a browser (`h5`), or on the page of the local provider
 * (`local`).
 */
export type PaymentMethod = "jsapi" | "h5" | "local";

/**
 * The values with which a payment is started at a provider. The same attempt is always started with the same values.
 */
export interface PaymentTerms {
  /** The store's number of the attempt: 6 to 32 digits, letters and hyphens. Notifications and queries name it. */
  attemptNo: string;
  /** In the smallest unit of the currency (CNY), at least 1. */
  amountMinor: number;
  /** What the payer sees, at most 127 characters. */
  description: string;
  method: PaymentMethod;
  /** The payer's id in the provider's app, for `jsapi`. */
  openid?: string;
  /** The app of that id, if it is known. */
  appid?: string;
  /** The address of the payer's device, for `h5`. */
  clientIp?: string;
  /** The provider accepts no payment after this time. */
  expiresAt: Date;
}

/** What the client passes to the provider. It is never stored. */
export type PaymentStart =
  | {
      kind: "jsapi";
      appId: string;
      timeStamp: string;
      nonceStr: string;
      package: string;
      signType: string;
      paySign: string;
    }
  | { kind: "h5"; h5_url: string }
  | { kind: "local"; url: string };

/**
 * The state of a payment at the provider. `open`: not paid, and still payable. `closed`: not paid, and can no longer be
 * paid. `unknown`: the provider does not know the attempt, or its response is not one of the others.
 */
export type ReportedPayment =
  | { state: "paid"; transactionId: string; amountMinor: number; currency: string }
  | { state: "open" | "closed" | "unknown" };

/**
 * The values with which a refund is requested from a provider. A repeated call for the same refund number has the same
 * values and refunds once.
 */
export interface RefundTerms {
  /** The number under which the provider knows the payment. */
  attemptNo: string;
  /** The store's number of the refund, at most 64 digits, letters and hyphens. */
  refundNo: string;
  /** In the smallest unit of the currency, at least 1. */
  amountMinor: number;
  /** The whole payment, in the smallest unit of the currency. */
  totalMinor: number;
  reason: string;
}

/**
 * The state of a refund at the provider. `accepted`: it will be decided later. `succeeded`: the payer has the money.
 * `failed`: the provider has decided not to pay it, or cannot; the same number is never paid out later. `unknown`: the
 * provider does not know the refund.
 */
export interface ReportedRefund {
  state: "accepted" | "succeeded" | "failed" | "unknown";
  /** The provider's id of the refund. */
  refundId?: string;
  /** A short code of the provider that says why it failed. */
  reason?: string;
}

/**
 * A provider of payments and refunds. Every method may be repeated with the same arguments and then has one effect.
 * Every method throws ProviderRefused if the provider has refused the call, and any other error if it is unknown
 * whether the call had an effect: no response, a response that cannot be verified or parsed, a server error. Every
 * method ends within ten seconds. Messages of errors are shown to administrators and contain no personal data and no
 * secret.
 */
export interface PaymentProvider {
  /** The name in paths and in the database. */
  readonly name: string;
  /** The methods that this provider offers. */
  readonly methods: readonly PaymentMethod[];
  start(terms: PaymentTerms): Promise<PaymentStart>;
  query(attemptNo: string): Promise<ReportedPayment>;
  /** Ends a payment that is not paid. Afterwards, `query` tells whether it is closed or was paid before. */
  close(attemptNo: string): Promise<void>;
  refund(terms: RefundTerms): Promise<ReportedRefund>;
  queryRefund(refundNo: string): Promise<ReportedRefund>;
}

/**
 * The provider has definitely refused the call, without any effect. A repeated call with the same arguments is refused
 * again.
 */
export class ProviderRefused extends Error {
  /** @param reason a short code for administrators, without personal data: at most 128 characters */
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}
