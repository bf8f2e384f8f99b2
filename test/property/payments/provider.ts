/** A payment at a simulated provider. */
export interface SimulatedPayment {
  /** The number of the attempt. */
  no: string;
  state: "open" | "paid" | "closed";
  transactionId?: string;
  /** What the payer has paid, in the smallest unit of the currency. */
  amountMinor: number;
}

/** A refund at a simulated provider. */
export interface SimulatedRefund {
  no: string;
  paymentNo: string;
  amountMinor: number;
  /** Whether the payer has the money. */
  isPaidOut: boolean;
}

/** A notification, ready to be sent to the store. */
export interface SimulatedNotification {
  body: string;
  headers: Record<string, string>;
}

/** A payment provider of which a test decides what happens, and when. */
export interface SimulatedProvider {
  /** The name in paths. */
  readonly name: string;
  /** What can go wrong with a call of the store. */
  readonly faults: readonly string[];
  /** @returns the variables with which the edge functions use it */
  start(): Promise<Record<string, string>>;
  stop(): Promise<void>;
  /** The body with which a buyer starts a payment. @param pick chooses one of several */
  startBody(pick: number): object;
  /** Sets the fault of all next calls after some that are served. @param fault undefined if nothing goes wrong */
  fail(fault: string | undefined, served: number): void;
  /** Sets what happens when a payment or refund has been started, before the response is sent. */
  beforeResponse(action: ((no: string) => Promise<void>) | undefined): void;
  payments(): SimulatedPayment[];
  refunds(): SimulatedRefund[];
  /** The payer pays. Nothing happens if the payment cannot be paid. */
  pay(no: string): void;
  /** The provider takes the money of a payment that it has closed. */
  payLate(no: string): void;
  paymentNotification(no: string): SimulatedNotification;
  /**
   * Decides a refund that is not decided yet. @param isFinal whether the refund is paid out; otherwise, `pick` chooses
   * the decision
   * @returns whether there was one
   */
  decideRefund(pick: number, isFinal: boolean): boolean;
  /** The notification of the state of a refund. @returns undefined if there is none, or if the provider sends none */
  refundNotification(pick: number): SimulatedNotification | undefined;
}
