import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { earner, holdNothing, messages, request } from "./earners.ts";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
  await holdNothing(store);
  await store.sql`grant store_api to postgres`;
  await store.sql`update app.settings set adjustment_limit_money = 1000, offline_payment_limit = 36000, withdrawal_limit = 1000`;
});
afterAll(() => store.close());

async function administrator(): Promise<string> {
  const uid = await store.signUp();
  return (
    await store.sql`select app.add_administrator((select u.auth_id::text from app.users as u where u.uid = ${uid})) as id`
  )[0]!.id;
}

/** Calls a function as the edge functions do. */
const call = (by: string, name: string, args: object) => (sql: postgres.Sql) =>
  sql`select app.as_caller(${sql.json({ role: "store_admin", sub: by })}, ${name}, ${sql.json(args as never)}) ->> 'state' as state`;

/** Twenty requests of one administrator at once. @returns their states and errors, sorted */
async function twenty(by: string, name: string, args: (n: number) => object): Promise<string[]> {
  const results = await store.together(Array.from({ length: 20 }, (_, n) => call(by, name, args(n))));
  return [
    ...messages(results),
    ...results.flatMap((result) => (result.status === "fulfilled" ? [result.value[0]!.state as string] : [])),
  ].sort();
}

/** The sum of an administrator, whom nobody can help, and then beside a second administrator. */
async function sums(name: string, args: () => Promise<(n: number) => object>, done: string, waiting: string) {
  await store.sql`delete from app.administrators`;
  const alone = await administrator();
  const first = await twenty(alone, name, await args());
  await administrator();
  const helped = await administrator();
  return {
    alone: first,
    helped: await twenty(helped, name, await args()),
    expected: {
      alone: [...Array(10).fill(done), ...Array(10).fill("second_administrator_needed")].sort(),
      helped: [...Array(10).fill(done), ...Array(10).fill(waiting)].sort(),
    },
  };
}

describe("twenty requests of one administrator at once", () => {
  // Guarantee money/two-people-limit: What one administrator decides alone about money on a day stays within the
  // limits, also by concurrent requests. The rest waits for a second one
  // By: app.decide_alone
  it("book adjustments up to the limit of the day", async () => {
    const { expected, ...found } = await sums(
      "create_adjustment",
      async () => {
        const p_uid = await store.signUp();
        return () => ({ p_uid, p_brokerage: 100, p_reason: "A gift" });
      },
      "booked",
      "waiting",
    );
    expect(found).toEqual(expected);
    expect([...(await store.sql`select sum(brokerage_price)::text as total from app.user_balances`)]).toEqual([
      { total: "2000.00" },
    ]);
  });

  // Guarantee money/two-people-limit
  it("mark orders as paid up to the limit of the day", async () => {
    const { expected, ...found } = await sums(
      "pay_order_offline",
      async () => {
        const orders: number[] = [];
        for (let n = 0; n < 20; n += 1) orders.push(await store.order(await store.signUp()));
        return (n) => ({ p_order_id: orders[n] });
      },
      "paid",
      "unpaid",
    );
    expect(found).toEqual(expected);
  });

  // Guarantee money/two-people-limit
  it("approve withdrawals up to the limit of the day", async () => {
    const { expected, ...found } = await sums(
      "approve_withdrawal",
      async () => {
        const ids: string[] = [];
        for (let n = 0; n < 20; n += 1) ids.push((await request(store.sql, await earner(store), 100))[0]!.id as string);
        return (n) => ({ p_id: Number(ids[n]) });
      },
      "approved",
      "requested",
    );
    expect(found).toEqual(expected);
    expect(await store.deadlocks()).toBe(0);
  });
});

describe("four administrators at once", () => {
  it("approve the same selection of withdrawals, each withdrawal once", async () => {
    await store.sql`delete from app.administrators`;
    await store.sql`delete from app.decided_alone`;
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(Number((await request(store.sql, await earner(store), 100))[0]!.id));
    const administrators = [await administrator(), await administrator(), await administrator(), await administrator()];
    const selections = administrators.map((_, n) => (n % 2 === 0 ? ids : ids.toReversed()));
    const results = await store.together(
      administrators.map((by, n) => call(by, "approve_withdrawals", { p_ids: selections[n] })),
    );
    expect(messages(results)).toEqual([]);
    expect([
      ...(await store.sql`
        select (select count(*)::int from app.withdrawals as w where w.id = any (${ids}) and w.state = 'approved') as approved,
          (select count(*)::int from app.events as e where e.type = 'withdrawal.approved' and e.subject_id = any (${ids})) as told,
          (select sum(d.money)::text from app.decided_alone as d where d.kind = 'withdrawal') as alone`),
    ]).toEqual([{ approved: 5, told: 5, alone: "500.00" }]);
    expect(await store.deadlocks()).toBe(0);
  });
});
