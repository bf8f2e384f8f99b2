import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { ReportedPayment, ReportedRefund, RefundTerms } from "../../../functions/_shared/providers/provider.ts";

/** The values with which a payment is started. */
export interface LocalTerms {
  attemptNo: string;
  amountMinor: number;
  description: string;
  expiresAt: string;
}

/** A payment of the local provider. */
export interface LocalPayment extends LocalTerms {
  /** The unguessable last part of the address of its page. */
  token: string;
  state: "open" | "paid" | "closed";
  transactionId: string | null;
}

interface LocalRefund extends RefundTerms {
  refundId: string;
  state: "accepted" | "succeeded";
}

/** The provider refuses a call. The reason is sent to the caller. */
export class Refusal extends Error {}

/** The payments and refunds of the local provider. They behave like those of WeChat Pay: a number is started with one set of values, and
 * expiry stops paying but does not close. */
export class Ledger {
  private readonly payments = new Map<string, LocalPayment>();
  private readonly refunds = new Map<string, LocalRefund>();

  /** @param file where the ledger is kept between runs; without it, it is kept in memory */
  constructor(private readonly file?: string) {
    if (!file || !existsSync(file)) return;
    const kept = JSON.parse(readFileSync(file, "utf8")) as { payments: LocalPayment[]; refunds: LocalRefund[] };
    for (const payment of kept.payments) this.payments.set(payment.attemptNo, payment);
    for (const refund of kept.refunds) this.refunds.set(refund.refundNo, refund);
  }

  start(terms: LocalTerms): LocalPayment {
    const known = this.payments.get(terms.attemptNo);
    if (known && known.state !== "open") throw new Refusal(`payment_${known.state}`);
    if (known && !hasSameValues(terms, known)) throw new Refusal("terms_differ");
    if (known) return known;
    return this.put({ ...terms, token: randomBytes(18).toString("base64url"), state: "open", transactionId: null });
  }

  query(attemptNo: string): ReportedPayment {
    const payment = this.payments.get(attemptNo);
    if (payment?.state === "paid") {
      return {
        state: "paid",
        transactionId: payment.transactionId!,
        amountMinor: payment.amountMinor,
        currency: "CNY",
      };
    }
    return { state: payment?.state ?? "unknown" };
  }

  close(attemptNo: string): void {
    const payment = this.payments.get(attemptNo);
    if (payment?.state === "paid") throw new Refusal("payment_paid");
    // An unknown number is closed, too: it can no longer be started.
    this.put({
      ...(payment ?? {
        attemptNo,
        amountMinor: 0,
        description: "",
        expiresAt: "",
        token: randomUUID(),
        transactionId: null,
      }),
      state: "closed",
    });
  }

  /** The payment whose page has this token. */
  find(token: string): LocalPayment | undefined {
    return [...this.payments.values()].find((payment) => payment.token === token);
  }

  /** The payer pays. @returns undefined if the payment can no longer be paid */
  pay(token: string, now = new Date()): LocalPayment | undefined {
    const payment = this.find(token);
    if (payment?.state !== "open" || now > new Date(payment.expiresAt)) return undefined;
    return this.put({ ...payment, state: "paid", transactionId: `local-${randomUUID()}` });
  }

  /** A refund is decided when it is queried for the first time. */
  refund(terms: RefundTerms): ReportedRefund {
    const known = this.refunds.get(terms.refundNo);
    if (known) {
      if (!hasSameValues(terms, known)) throw new Refusal("terms_differ");
      return reported(known);
    }
    const payment = this.payments.get(terms.attemptNo);
    if (payment?.state !== "paid" || payment.amountMinor !== terms.totalMinor) throw new Refusal("payment_unknown");
    const refunded = [...this.refunds.values()]
      .filter((refund) => refund.attemptNo === terms.attemptNo)
      .reduce((sum, refund) => sum + refund.amountMinor, 0);
    if (refunded + terms.amountMinor > payment.amountMinor) throw new Refusal("refund_exceeds_payment");
    const refund: LocalRefund = { ...terms, refundId: randomUUID(), state: "accepted" };
    this.refunds.set(terms.refundNo, refund);
    this.save();
    return reported(refund);
  }

  queryRefund(refundNo: string): ReportedRefund {
    const refund = this.refunds.get(refundNo);
    if (!refund) return { state: "unknown" };
    this.refunds.set(refundNo, { ...refund, state: "succeeded" });
    this.save();
    return reported({ ...refund, state: "succeeded" });
  }

  /** Takes the money of a closed payment, as no provider should. For tests. */
  takeAnyway(attemptNo: string): void {
    this.put({ ...this.payments.get(attemptNo)!, state: "paid", transactionId: `local-${randomUUID()}` });
  }

  /** All payments and refunds, for tests. */
  all(): { payments: LocalPayment[]; refunds: LocalRefund[] } {
    return { payments: [...this.payments.values()], refunds: [...this.refunds.values()] };
  }

  private put(payment: LocalPayment): LocalPayment {
    this.payments.set(payment.attemptNo, payment);
    this.save();
    return payment;
  }

  private save(): void {
    if (!this.file) return;
    writeFileSync(`${this.file}.new`, JSON.stringify(this.all()), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}

function hasSameValues(terms: object, known: object): boolean {
  return Object.entries(terms).every(([name, value]) => (known as Record<string, unknown>)[name] === value);
}

function reported({ state, refundId }: LocalRefund): ReportedRefund {
  return { state, refundId };
}
