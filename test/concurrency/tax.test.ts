import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { approve, approvedTransfer, beginTransfer, earner, end, findings, holdNothing, messages } from "./earners.ts";
import { Store } from "./store.ts";

let store: Store;
let uid: number;
let account: string;
beforeAll(async () => {
  store = await Store.open();
  await holdNothing(store);
  // A member has one open withdrawal. Tax must be right without this limit, too.
  await store.sql`drop index app.withdrawals_one_is_open`;
  await store.sql`select app.set_settings('{"tax_method": "cumulative"}', now())`;
  await store.sql`update app.settings set withdrawal_maximum = null`;
});
afterAll(() => store.close());
beforeEach(async () => {
  ({ uid, account } = await earner(store));
  await store.sql`select from app.create_adjustment(${uid}, 1000000, 0, 0, 'Test', null, null)`;
});

/** An approved withdrawal, beside others of the member that are open. */
async function approved(amount: number): Promise<string> {
  const [row] = await store.sql`
    insert into app.withdrawals (withdrawal_no, uid, method, account_id, account_hint, amount, fee, add_time)
    select 'W' || lpad(nextval('app.withdrawal_no_seq')::text, 12, '0'), ${uid}, 'bank', ${account}, '', ${amount}, 0, clock_timestamp() returning id`;
  const id = row!.id as string;
  await store.sql`select app.book_withdrawal(w, 'withdrawal', w.add_time), app.write_events(array[app.withdrawal_event(w)], w.add_time) from app.withdrawals as w where w.id = ${id}`;
  await approve(store.sql, id);
  return id;
}

const batch = (sql: postgres.Sql, id: string) =>
  sql`select from app.create_withdrawal_batch('bank', ${[id]}::bigint[], null, null, null)`;
const pay = (sql: postgres.Sql, id: string) =>
  sql`select from app.move_withdrawal(app.lock_withdrawal(${id}), 'paying', null)`;
const taxes = async () =>
  (await store.sql`select tax from app.tax_withholdings where uid = ${uid} order by id`).map(({ tax }) => Number(tax));

describe("two payouts of a member at the same time", () => {
  it("are computed one after the other, whichever is first", async () => {
    for (let round = 0; round < 4; round += 1) {
      ({ uid, account } = await earner(store));
      await store.sql`select from app.create_adjustment(${uid}, 1000000, 0, 0, 'Test', null, null)`;
      const ids = [await approved(10_000), await approved(10_000)];
      const results = await store.together<unknown>([
        (sql) => batch(sql, ids[0]!),
        (sql) => (round % 2 === 0 ? batch : pay)(sql, ids[1]!),
      ]);
      expect(messages(results)).toEqual([]);
      // (8000 - 5000) x 0.03, and (16000 - 5000) x 0.03 - 90.
      expect(await taxes()).toEqual([90, 240]);
    }
    expect(await findings(store)).toEqual([]);
  });

  // Guarantee money/tax-sums
  it("do not start from the same sums: the second waits until the first is committed", async () => {
    const ids = [await approved(10_000), await approved(10_000)];
    const [first, second] = [store.connection(), store.connection()];
    try {
      await first`begin`;
      await batch(first, ids[0]!);
      const waits = pay(second, ids[1]!).execute();
      await store.untilWaiting(1);
      await first`commit`;
      await waits;
      expect(await taxes()).toEqual([90, 240]);
    } finally {
      await Promise.all([first.end(), second.end()]);
    }
  });

  it("are computed without a payment whose failure is being recorded", async () => {
    const [failing, next] = [await approved(100_000), await approved(10_000)];
    await pay(store.sql, failing);
    const [first, second] = [store.connection(), store.connection()];
    try {
      await first`begin`;
      await end(first, failing, "failed");
      const waits = batch(second, next).execute();
      await store.untilWaiting(1);
      await first`commit`;
      await waits;
      expect((await taxes()).at(-1)).toBe(90);
    } finally {
      await Promise.all([first.end(), second.end()]);
    }
    expect(await findings(store)).toEqual([]);
  });

  it("neither deadlock nor withhold twice, if many become paying, fail and are asked for at once", async () => {
    const deadlocks = await store.deadlocks();
    const ids = await Promise.all(Array.from({ length: 6 }, () => approved(10_000)));
    await pay(store.sql, ids[5]!);
    const results = await store.together<unknown>([
      ...ids.slice(0, 5).map((id) => (sql: postgres.Sql) => pay(sql, id)),
      (sql) => sql`select from app.create_withdrawal_batch('bank', null, null, null, null)`,
      (sql) => end(sql, ids[5]!, "failed"),
      (sql) =>
        sql`select from app.allow_tax(${uid}, to_char(app.business_day(now()), 'YYYY-MM'), 1, 0, 0, 'Test', null, null)`,
    ]);
    expect(messages(results).filter((message) => message !== "withdrawal_state_conflict")).toEqual([]);
    expect(await store.deadlocks()).toBe(deadlocks);
    const [row] = await store.sql`
      select count(*)::int as rows, sum(t.tax) as tax from app.tax_withholdings as t join app.withdrawals as w on w.id = t.withdrawal_id
      where t.uid = ${uid} and w.state = 'paying'`;
    expect(row!.rows).toBe(5);
    // (40000 - 5000) x 0.03, less 0.03 if the exempt income came before the last; a failed payout may have been counted
    // until it failed.
    expect(Number(row!.tax)).toBeGreaterThanOrEqual(1049.97);
    expect(await findings(store)).toEqual([]);
  });

  it("are fixed by one of the runs of the worker", async () => {
    const transfer = await approvedTransfer(store, uid, 900);
    const results = await store.together<unknown>(
      Array.from({ length: 4 }, () => (sql: postgres.Sql) => beginTransfer(sql, transfer)),
    );
    expect(messages(results)).toEqual([]);
    expect(await taxes()).toEqual([0]);
  });
});
