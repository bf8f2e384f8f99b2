import fc from "fast-check";
import type { FakeWechatPay, Trouble } from "../../support/wechat/fake_wechat_pay.ts";
import { MINI } from "../../support/wechat/apps.ts";
import { NEVER, type Store } from "../payments/store.ts";

const steps = [
  "request",
  "request",
  "approve",
  "approve",
  "approved",
  "approved",
  "refuse",
  "by hand",
  "cancel",
  "time passes",
  "work",
  "work",
  "work",
  "work and notify at once",
  "confirm",
  "confirm",
  "decide",
  "decide",
  "decide",
  "close",
  "notify",
  "notify",
  "slow",
  "poor",
  "another member",
] as const;

const FAULTS = ["before", "after", "unsigned", "forged", "old", "html", "failing", "limited"] satisfies Trouble[];
/** In yuan. WeChat needs a name from 2,000 on. */
const AMOUNTS = ["10.00", "0.50", "333.33", "2000.00", "4999.99"];
const GIVEN = 100_000;
/** More requests than the store makes in one step of a history. */
const ALL = 100;
const MEMBERS = 3;

/** One step of a history: what happens, to which withdrawal, and what goes wrong. */
export interface Action {
  step: (typeof steps)[number];
  pick: number;
  fault: Trouble | undefined;
  servedBeforeFault: number;
  crash: number;
}

/** Random steps. In half of them, a call to WeChat Pay goes wrong. */
export const actions: fc.Arbitrary<Action> = fc.record({
  step: fc.constantFrom(...steps),
  pick: fc.nat(99),
  fault: fc.oneof(fc.constant(undefined), fc.constantFrom(...FAULTS)),
  servedBeforeFault: fc.nat(3),
  crash: fc.oneof(fc.constant(NEVER), fc.nat(7)),
});

interface Member {
  account: string;
  openid: string;
}

/** A store, WeChat Pay, and members who withdraw to WeChat. */
export class World {
  private readonly members: Member[] = [];
  private count = 0;

  constructor(
    private readonly store: Store,
    private readonly wechatPay: FakeWechatPay,
  ) {}

  async perform({ step, pick, fault, servedBeforeFault, crash }: Action): Promise<void> {
    const { store, wechatPay } = this;
    while (this.members.length < MEMBERS) await this.join();
    const [no] = pickFrom([...wechatPay.transfers], pick) ?? [];
    this.fail(fault, servedBeforeFault);
    if (step === "request") await this.request(pick, crash);
    else if (step === "approve") await this.administer("requested", "approve", pick, crash);
    else if (step === "approved") {
      await this.request(pick, NEVER);
      await this.administer("requested", "approve", pick, NEVER);
    } else if (step === "refuse")
      await this.administer(pick % 2 === 0 ? "requested" : "approved", "refuse", pick, crash, { reason: "Refused" });
    else if (step === "by hand")
      await this.administer(
        "paying",
        pick % 2 === 0 ? "paid" : "failed",
        pick,
        crash,
        pick % 2 === 0 ? {} : { reason: "By hand" },
      );
    else if (step === "cancel") await this.administer("paying", "cancel", pick, crash);
    else if (step === "time passes") await this.letTimePass();
    else if (step === "work") await store.work(crash);
    else if (step === "work and notify at once") {
      wechatPay.beforeResponse = async (started) => {
        wechatPay.confirmTransfer(started);
        if (wechatPay.decideTransfer(started)) await this.notify(started, NEVER);
      };
      await store.work(crash);
      wechatPay.beforeResponse = undefined;
    } else if (step === "slow") wechatPay.acceptsSlowly = !wechatPay.acceptsSlowly;
    else if (step === "poor") wechatPay.balance = wechatPay.balance < 10 ** 9 ? 10 ** 12 : 100_000;
    else if (step === "another member") await this.replace(pick);
    else if (no === undefined) return;
    else if (step === "confirm") wechatPay.confirmTransfer(no);
    else if (step === "decide") wechatPay.decideTransfer(no);
    else if (step === "close") wechatPay.decideTransfer(no, pick % 2 === 0 ? "OVERDUE_CLOSE" : "ACCOUNT_FROZEN");
    else if (step === "notify") await this.notify(no, crash);
  }

  /** Sets the fault of all next calls after some that are served. */
  private fail(fault: Trouble | undefined, served: number): void {
    this.wechatPay.next =
      fault === undefined ? [] : [...Array<undefined>(served).fill(undefined), ...Array<Trouble>(ALL).fill(fault)];
  }

  /** A member who signs in with WeChat and has commission that can be withdrawn. */
  private async join(): Promise<void> {
    const { sql } = this.store;
    const openid = `openid ${(this.count += 1)}`;
    const [user] =
      await sql`insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data) values (now(), gen_random_uuid(), ${`payee-${this.count}@example.com`}, '{}') returning id`;
    const account = user!.id as string;
    await sql`insert into app.wechat_accounts (appid, openid, auth_id) values (${MINI.appid}, ${openid}, ${account})`;
    const [adjustment] = await sql`
      insert into app.adjustments (uid, brokerage_delta, reason, state, add_time, decided_at)
      select u.uid, ${GIVEN}, 'For a test', 'booked', now(), now() from app.users as u where u.auth_id = ${account}
      returning id`;
    await sql`
      select app.book_adjustment(a), app.write_adjustment_event(a)
      from app.adjustments as a where a.id = ${adjustment!.id}`;
    this.members.push({ account, openid });
  }

  /** A member deletes their account, whatever is under way, and another one joins. */
  private async replace(pick: number): Promise<void> {
    const [gone] = this.members.splice(pick % this.members.length, 1);
    await this.store.sql`delete from auth.users where id = ${gone!.account}`;
    await this.join();
  }

  private async request(pick: number, crash: number): Promise<void> {
    const amount = AMOUNTS[pick % AMOUNTS.length]!;
    const json = { amount, method: "wechat", ...(Number(amount) >= 2000 && { payee_name: "林薇" }) };
    await this.store.send("POST", "/api/withdrawal", { json, account: pickFrom(this.members, pick)!.account, crash });
  }

  private async administer(
    state: string,
    action: string,
    pick: number,
    crash: number,
    json: object = {},
  ): Promise<void> {
    const found = pickFrom(
      await this.store.sql`select id from app.withdrawals where state = ${state} order by id`,
      pick,
    );
    if (found) await this.store.send("PUT", `/adminapi/withdrawal/${found.id}/${action}`, { json, by: "admin", crash });
  }

  /** Two hours, for requests that may have been under way. */
  private async letTimePass(): Promise<void> {
    await this.store
      .sql`update app.transfers set first_asked_at = first_asked_at - interval '2 hours', asked_at = asked_at - interval '2 hours' where asked_at is not null`;
  }

  /** WeChat Pay notifies of final states only. */
  private async notify(no: string, crash: number): Promise<void> {
    if (!["SUCCESS", "FAIL", "CANCELLED"].includes(this.wechatPay.transfers.get(no)!.state)) return;
    await this.store.send("POST", "/api/pay/notify/wechat", {
      ...this.wechatPay.transferNotification(no),
      by: "nobody",
      crash,
    });
  }

  /** Repeats whatever was lost, until nothing is left to do. Every third member does not confirm. */
  async heal(): Promise<void> {
    const { store, wechatPay } = this;
    this.fail(undefined, 0);
    wechatPay.acceptsSlowly = false;
    wechatPay.balance = 10 ** 12;
    for (let round = 0; round < 4; round += 1) {
      for (const failed of await store.sql`select id from app.outbox where state = 'failed'`)
        await store.send("PUT", `/adminapi/outbox/${failed.id}/retry`, { by: "admin" });
      await store.work();
      await this.letTimePass();
      let index = 0;
      for (const no of wechatPay.transfers.keys()) {
        if (index++ % 3 > 0) wechatPay.confirmTransfer(no);
        wechatPay.decideTransfer(
          no,
          wechatPay.transfers.get(no)!.state === "WAIT_USER_CONFIRM" ? "OVERDUE_CLOSE" : undefined,
        );
      }
    }
    await store.work();
    await store.work();
  }

  /** What is wrong after everything was repeated. */
  async faults(): Promise<unknown[]> {
    const {
      store: { sql },
      wechatPay,
    } = this;
    const faults: unknown[] = [...(await sql`select * from app.reconcile()`), ...(await sql`select * from app.outbox`)];
    const withdrawals = await sql`
      select w.withdrawal_no as no, w.state, w.approved_at is not null as is_approved, ((w.amount - w.fee) * 100)::int as net, t.openid
      from app.withdrawals as w join app.transfers as t on t.withdrawal_id = w.id`;
    for (const { no, state, is_approved, net, openid } of withdrawals) {
      const paid = wechatPay.paidOut.filter((each) => each.no === no);
      const isRight =
        paid.length === (state === "paid" ? 1 : 0) &&
        paid.every((each) => is_approved && each.amount === net && (openid === null || each.openid === openid)) &&
        state !== "approved" &&
        state !== "paying";
      if (!isRight)
        faults.push({ no, state, is_approved, net, openid, paid, known: wechatPay.transfers.get(no as string) });
    }
    const unknown = wechatPay.paidOut.filter(({ no }) => !withdrawals.some((each) => each.no === no));
    return [...faults, ...unknown];
  }
}

/** One of some values; undefined if there are none. */
function pickFrom<Value>(values: readonly Value[], pick: number): Value | undefined {
  return values[pick % Math.max(1, values.length)];
}
