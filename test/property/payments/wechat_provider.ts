import { FakeWechatPay, type Trouble } from "../../support/wechat/fake_wechat_pay.ts";
import type { SimulatedNotification, SimulatedPayment, SimulatedProvider, SimulatedRefund } from "./provider.ts";

const STATES = { NOTPAY: "open", SUCCESS: "paid", REFUND: "paid", CLOSED: "closed" } as const;
/** More requests than the store makes in one step of a history. */
const ALL = 100;
/** How many notifications of refunds can still arrive, some of them after later ones. */
const UNDER_WAY = 20;

/** WeChat Pay with real signatures. It decides refunds later and notifies of them. */
export class WechatProvider implements SimulatedProvider {
  readonly name = "wechat";
  readonly faults = ["before", "after", "unsigned", "forged", "old", "html", "failing", "limited"] satisfies Trouble[];
  private readonly fake = new FakeWechatPay();
  private readonly underWay: SimulatedNotification[] = [];

  async start(): Promise<Record<string, string>> {
    await this.fake.start();
    return { ...this.fake.settings(), STORE_FUNCTIONS_URL: "https://store.example.com/functions/v1" };
  }

  stop(): Promise<void> {
    return this.fake.stop();
  }

  /** The same number cannot be started again for another payer. */
  startBody(pick: number): object {
    return { provider: "wechat", method: "jsapi", openid: pick % 4 === 0 ? "another phone" : "a phone" };
  }

  fail(fault: string | undefined, served: number): void {
    this.fake.next =
      fault === undefined
        ? []
        : [...Array<undefined>(served).fill(undefined), ...Array<Trouble>(ALL).fill(fault as Trouble)];
  }

  beforeResponse(action: ((no: string) => Promise<void>) | undefined): void {
    this.fake.beforeResponse = action;
  }

  payments(): SimulatedPayment[] {
    return [...this.fake.transactions].map(([no, { request, trade_state, transaction_id }]) => ({
      no,
      state: STATES[trade_state],
      amountMinor: (request.amount as { total: number }).total,
      ...(transaction_id !== undefined && { transactionId: transaction_id }),
    }));
  }

  refunds(): SimulatedRefund[] {
    return [...this.fake.refunds].map(([no, { request, status }]) => ({
      no,
      paymentNo: request.out_trade_no,
      amountMinor: request.amount.refund,
      isPaidOut: status === "SUCCESS",
    }));
  }

  pay(no: string): void {
    this.fake.pay(no);
  }

  payLate(no: string): void {
    this.fake.pay(no, { underWay: true });
  }

  paymentNotification(no: string): SimulatedNotification {
    return this.fake.paymentNotification(no);
  }

  decideRefund(pick: number, isFinal: boolean): boolean {
    const waiting = [...this.fake.refunds].filter(([, { status }]) => status === "PROCESSING" || status === "ABNORMAL");
    const [no, refund] = waiting[pick % Math.max(1, waiting.length)] ?? [];
    if (no === undefined || refund === undefined) return false;
    refund.status = isFinal ? "SUCCESS" : (["SUCCESS", "CLOSED", "ABNORMAL"] as const)[pick % 3]!;
    this.underWay.push(this.fake.refundNotification(no));
    return true;
  }

  refundNotification(pick: number): SimulatedNotification | undefined {
    const arriving = this.underWay.slice(-UNDER_WAY);
    return arriving[pick % Math.max(1, arriving.length)];
  }
}
