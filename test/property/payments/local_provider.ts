import { type Fault, FakePayments } from "../../support/fake_payments.ts";
import type { SimulatedNotification, SimulatedPayment, SimulatedProvider, SimulatedRefund } from "./provider.ts";

/** The provider of the local stack. It decides a refund when it is queried, and sends no notifications of refunds. */
export class LocalProvider implements SimulatedProvider {
  readonly name = "local";
  readonly faults = ["lost", "lost response", "html", "refused"] satisfies Fault[];
  private readonly fake = new FakePayments();

  start(): Promise<Record<string, string>> {
    return this.fake.start();
  }

  stop(): Promise<void> {
    return this.fake.stop();
  }

  startBody(): object {
    return { provider: "local", method: "local" };
  }

  fail(fault: string | undefined, served: number): void {
    this.fake.fault = (fault ?? "none") as Fault;
    this.fake.servedBeforeFault = served;
  }

  beforeResponse(action: ((no: string) => Promise<void>) | undefined): void {
    this.fake.beforeResponse = (path) => (path === "POST /payments" ? action?.(this.payments().at(-1)!.no) : undefined);
  }

  payments(): SimulatedPayment[] {
    return this.fake.ledger.all().payments.map(({ attemptNo, state, transactionId, amountMinor }) => ({
      no: attemptNo,
      state,
      amountMinor,
      ...(transactionId !== null && { transactionId }),
    }));
  }

  refunds(): SimulatedRefund[] {
    return this.fake.ledger.all().refunds.map(({ refundNo, attemptNo, amountMinor, state }) => ({
      no: refundNo,
      paymentNo: attemptNo,
      amountMinor,
      isPaidOut: state === "succeeded",
    }));
  }

  pay(no: string): void {
    this.fake.ledger.pay(this.fake.payment(no)!.token);
  }

  payLate(no: string): void {
    // The close of a number that was never started has no amount.
    if (this.fake.payment(no)!.amountMinor > 0) this.fake.ledger.takeAnyway(no);
  }

  paymentNotification(no: string): SimulatedNotification {
    return this.fake.notification(no);
  }

  decideRefund(): boolean {
    return false;
  }

  refundNotification(): undefined {
    return undefined;
  }
}
