import fc from "fast-check";
import type { SimulatedNotification, SimulatedProvider } from "./provider.ts";
import { NEVER, type Store } from "./store.ts";

const steps = [
  "order",
  "paid order",
  "paid order",
  "start",
  "start",
  "start and pay at once",
  "payer pays",
  "payer pays",
  "notify",
  "notify",
  "read",
  "cancel",
  "expire",
  "work",
  "work",
  "work",
  "pay offline",
  "refund",
  "refund",
  "refund",
  "refund unclaimed",
  "late money",
  "decide a refund",
  "decide a refund",
  "notify of a refund",
] as const;

/** One step of a history: what happens, to which order or payment, and what goes wrong. */
export interface Action {
  step: (typeof steps)[number];
  pick: number;
  fault: string | undefined;
  servedBeforeFault: number;
  crash: number;
}

/** Random steps. In half of them, a call to the provider goes wrong. @param faults what can go wrong */
export const actions = (faults: readonly string[]): fc.Arbitrary<Action> =>
  fc.record({
    step: fc.constantFrom(...steps),
    pick: fc.nat(99),
    fault: fc.oneof(fc.constant(undefined), fc.constantFrom(...faults)),
    servedBeforeFault: fc.nat(3),
    crash: fc.oneof(fc.constant(NEVER), fc.nat(7)),
  });

/** A store, its provider, and the payers. */
export class World {
  private readonly orders: number[] = [];

  constructor(
    private readonly store: Store,
    private readonly provider: SimulatedProvider,
  ) {}

  async perform({ step, pick, fault, servedBeforeFault, crash }: Action): Promise<void> {
    const { store, provider } = this;
    const order = pickFrom(this.orders, pick);
    const payment = pickFrom(provider.payments(), pick);
    provider.fail(fault, servedBeforeFault);
    if (step === "order" || order === undefined) await this.place(1 + (pick % 3));
    else if (step === "paid order") await this.placeAndPay();
    else if (step === "start") await this.start(order, pick, crash);
    else if (step === "start and pay at once") await this.startAndPay(order, pick, crash);
    else if (step === "read") {
      await store.sql`update app.payment_attempts set queried_at = null`;
      await store.send("GET", `/api/order/${order}/payment`, { crash });
    } else if (step === "cancel") await store.send("PUT", `/api/order/${order}/cancel`, { crash });
    else if (step === "pay offline") await store.send("PUT", `/adminapi/order/${order}/pay`, { by: "admin", crash });
    else if (step === "refund")
      await store.send("PUT", `/adminapi/order/${order}/refund`, {
        json: { refund_ref: `refund ${pick % 3}` },
        by: "admin",
        crash,
      });
    else if (step === "refund unclaimed") await this.refundUnclaimed(pick, crash);
    else if (step === "payer pays" && payment) provider.pay(payment.no);
    else if (step === "late money" && payment?.state === "closed") provider.payLate(payment.no);
    else if (step === "notify" && payment?.state === "paid")
      await this.notify(provider.paymentNotification(payment.no), crash);
    else if (step === "decide a refund") provider.decideRefund(pick, false);
    else if (step === "notify of a refund") await this.notify(provider.refundNotification(pick), crash);
    else if (step === "work") await store.work(crash);
    else if (step === "expire") {
      await store.sql`update app.payment_attempts set expires_at = greatest(add_time + interval '1 ms', expires_at - interval '25 minutes')`;
      await store.sql`call app.expire_orders(clock_timestamp() + interval '10 minutes')`;
    }
  }

  private async place(quantity: number): Promise<number> {
    const { id } = (await this.store.send("POST", "/api/order", {
      json: { items: [{ product_id: this.store.product, quantity }] },
    })) as {
      id: number;
    };
    this.orders.push(id);
    return id;
  }

  private start(order: number, pick: number, crash: number): Promise<unknown> {
    return this.store.send("POST", `/api/order/${order}/pay`, { json: this.provider.startBody(pick), crash });
  }

  /** Starts a payment that is paid and notified before the store gets the response to the start. */
  private async startAndPay(order: number, pick: number, crash: number): Promise<void> {
    this.provider.beforeResponse(async (no) => {
      this.provider.pay(no);
      if (this.stateOf(no) === "paid") await this.notify(this.provider.paymentNotification(no), NEVER);
    });
    await this.start(order, pick, crash);
    this.provider.beforeResponse(undefined);
  }

  private stateOf(no: string): string | undefined {
    return this.provider.payments().find((payment) => payment.no === no)?.state;
  }

  /** An order whose payment goes well, so that histories reach what comes after it. */
  private async placeAndPay(): Promise<void> {
    this.provider.fail(undefined, 0);
    const { attempt_no } = (await this.start(await this.place(2), 1, NEVER)) as { attempt_no: string };
    this.provider.pay(attempt_no);
    await this.notify(this.provider.paymentNotification(attempt_no), NEVER);
  }

  private async notify(notification: SimulatedNotification | undefined, crash: number): Promise<void> {
    if (notification)
      await this.store.send("POST", `/api/pay/notify/${this.provider.name}`, { ...notification, by: "nobody", crash });
  }

  private async refundUnclaimed(pick: number, crash: number): Promise<void> {
    const waiting = await this.store
      .sql`select id from app.payment_notifications where outcome = 'attention' order by id`;
    const chosen = pickFrom(waiting, pick);
    if (chosen)
      await this.store.send("PUT", `/adminapi/payment/notification/${chosen.id}/refund`, { by: "admin", crash });
  }

  /** Repeats whatever was lost, until nothing is left to do. */
  async heal(): Promise<void> {
    const { store, provider } = this;
    const workAll = async () => {
      for (let round = 0; round < 4; round += 1) {
        await store.work();
        while (provider.decideRefund(0, true)) continue;
      }
    };
    provider.fail(undefined, 0);
    await store.sql`update app.payment_attempts set expires_at = greatest(add_time + interval '1 ms', least(expires_at, clock_timestamp()))`;
    await workAll();
    for (const { no, state } of provider.payments())
      if (state === "paid") await this.notify(provider.paymentNotification(no), NEVER);
    await workAll();
    for (const failed of await store.sql`select max(id) as id from app.provider_refunds group by pay_ref, refund_id having bool_and(state = 'failed')`) {
      await store.send("PUT", `/adminapi/payment/refund/${failed.id}/retry`, { by: "admin" });
    }
    await workAll();
  }

  /** What is wrong after everything was repeated. */
  async faults(): Promise<unknown[]> {
    const {
      store: { sql },
      provider,
    } = this;
    const faults: unknown[] = [...(await sql`select * from app.reconcile()`)];
    faults.push(
      ...(await sql`select * from app.outbox`),
      ...(await sql`select * from app.payment_attempts where state = 'open'`),
    );
    for (const payment of provider.payments()) {
      const [known] = await sql`
        select
          (select count(*)::int from app.orders where pay_ref = ${payment.transactionId ?? null}) as paid,
          (select count(*)::int from app.payment_notifications where pay_ref = ${payment.transactionId ?? null} and outcome = 'attention') as attention
      `;
      const isKnown = payment.state !== "paid" || (known!.paid === 1) !== known!.attention > 0;
      if (!isKnown) faults.push({ ...payment, ...known });
    }
    const wanted = await sql`
      select r.payment_no, sum(r.amount * 100)::int as wanted from app.provider_refunds as r where r.state <> 'failed' group by r.payment_no`;
    const wantedOf = new Map(wanted.map((row) => [row.payment_no as string, row.wanted as number]));
    const paidOut = provider.refunds().filter(({ isPaidOut }) => isPaidOut);
    for (const { no, amountMinor } of provider.payments()) {
      const given = paidOut
        .filter(({ paymentNo }) => paymentNo === no)
        .reduce((sum, refund) => sum + refund.amountMinor, 0);
      if (given !== (wantedOf.get(no) ?? 0) || given > amountMinor)
        faults.push({ no, amountMinor, given, wanted: wantedOf.get(no) });
    }
    return faults;
  }
}

/** One of some values; undefined if there are none. */
function pickFrom<Value>(values: readonly Value[], pick: number): Value | undefined {
  return values[pick % Math.max(1, values.length)];
}
