import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  approve,
  approvedTransfer,
  beginTransfer,
  type Earner,
  earner,
  end,
  findings,
  hear,
  holdNothing,
  messages,
  notify,
  request,
} from "./earners.ts";
import { Store } from "./store.ts";

type Work = (sql: postgres.Sql) => Promise<unknown>;

let store: Store;
/** A product that points can pay for. */
let tea: number;
beforeAll(async () => {
  store = await Store.open();
  await holdNothing(store);
  const [product] =
    await store.sql`insert into app.products (title, price, stock) values ('Tea', 100, 100000) returning id`;
  tea = Number(product!.id);
});
afterAll(() => store.close());

const spend = (sql: postgres.Sql, uid: number) =>
  sql`select o.id from app.create_order(${uid}, jsonb_build_array(jsonb_build_object('product_id', ${tea}::bigint, 'quantity', 1)), null, p_use_points => 20) as o`;

/** What may be rejected, because another transaction was first. */
const REJECTED = ["withdrawal_open", "withdrawal_exceeds_balance", "account_in_use", "account_not_found"];

const dayOf = (round: number) => `2026-0${round + 1}-01`;

/** What ends an open withdrawal of a member: to a bank or to WeChat, which may report it twice. */
async function failing(member: Earner, round: number): Promise<Work[]> {
  if (round % 2 === 0) {
    const open = (await request(store.sql, member, 10))[0]!.id as string;
    await approve(store.sql, open);
    return [(sql) => end(sql, open, "failed")];
  }
  const open = await approvedTransfer(store, member.uid, 10);
  await beginTransfer(store.sql, open);
  return [(sql) => hear(sql, open, "failed"), (sql) => notify(sql, open, "failed"), (sql) => beginTransfer(sql, open)];
}

/** Everything that changes the balances of one member, each in a connection of its own. */
async function everything(member: Earner, round: number): Promise<Work[]> {
  const { uid, orders } = member;
  const toSettle = await store.buy(await store.signUp(uid));
  const toReceive = await store.buy(await store.signUp(uid));
  await store.settle(toReceive);
  const [toCancel, toRefund] = [
    Number((await spend(store.sql, uid))[0]!.id),
    Number((await spend(store.sql, uid))[0]!.id),
  ];
  await store.sql`select from app.pay_order(${toRefund}, 'test', ${`tea-${toRefund}`}, null)`;
  return [
    ...(await failing(member, round)),
    (sql) => sql`select from app.refund_order(${orders[0]!}, null, null, null)`,
    (sql) => sql`select from app.refund_order(${toRefund}, null, null, null)`,
    (sql) => request(sql, member, 500),
    (sql) => spend(sql, uid),
    (sql) => spend(sql, uid),
    (sql) => sql`select from app.cancel_order(${toCancel}, null)`,
    (sql) => sql`select from app.release_members(${dayOf(round)}, array[${uid}::bigint], clock_timestamp())`,
    (sql) => sql`select from app.settle_order(${toSettle}, clock_timestamp())`,
    (sql) => sql`select from app.confirm_receipt(${toReceive}, null)`,
    (sql) => sql`select from app.create_adjustment(${uid}, -5, null, 5, 'Test', null, null)`,
    (sql) => sql`select from app.delete_payout_account(${uid}, ${member.account}, null)`,
  ];
}

describe("the balances of one member", () => {
  it("agree with the bill after refund, withdrawal, release and spending at the same time, without a deadlock", async () => {
    const deadlocks = await store.deadlocks();
    const types = new Set<string>();
    for (let round = 0; round < 4; round += 1) {
      const member = await earner(store, 2);
      await store.sql`select from app.create_adjustment(${member.uid}, null, null, 200, 'Test', null, null)`;
      const results = await store.together(await everything(member, round));
      expect(messages(results).filter((message) => !REJECTED.includes(message))).toEqual([]);
      // The release skips a member whose balances are locked. It is idempotent, so that a repetition releases what was
      // left out.
      await store.sql`select from app.release_members(${dayOf(round)}, array[${member.uid}::bigint], clock_timestamp())`;
      for (const { type } of await store.sql`select distinct type from app.user_bill where uid = ${member.uid}`)
        types.add(type);
    }
    expect([...types].sort()).toEqual([
      "adjustment",
      "brokerage",
      "brokerage_reversal",
      "frozen_points_brokerage",
      "frozen_points_release",
      "frozen_points_reversal",
      "points_returned",
      "points_spent",
      "withdrawal",
      "withdrawal_returned",
    ]);
    expect(await store.deadlocks()).toBe(deadlocks);
    expect(await findings(store)).toEqual([]);
  });

  // Guarantee money/debt: A debt blocks withdrawals until commission repays it
  // By: app.request_withdrawal
  it("are the same after a refund and a withdrawal, whichever waits for the other, and a debt blocks the next withdrawal", async () => {
    for (const first of ["refund", "withdrawal"] as const) {
      const member = await earner(store);
      const works = {
        refund: (sql: postgres.Sql) => sql`select from app.refund_order(${member.orders[0]!}, null, null, null)`,
        withdrawal: (sql: postgres.Sql) => request(sql, member, 720),
      };
      const holder = store.connection();
      await holder`begin`;
      await works[first](holder);
      const other = Promise.allSettled([works[first === "refund" ? "withdrawal" : "refund"](store.sql)]);
      await store.untilWaiting(1);
      await holder`commit`;
      await holder.end();
      expect(messages(await other)).toEqual(first === "refund" ? ["withdrawal_exceeds_balance"] : []);
      const [open] = await store.sql`select id from app.withdrawals where uid = ${member.uid}`;
      expect((await store.balances(member.uid)).brokerage_price).toBe(open ? "-720.00" : "0.00");
      if (open) await approve(store.sql, open.id).then(() => end(store.sql, open.id, "paid"));
      await expect(request(store.sql, member, 10)).rejects.toThrow("withdrawal_exceeds_balance");
    }
    expect(await findings(store)).toEqual([]);
  });
});
