import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messages } from "./earners.ts";
import { Store } from "./store.ts";

interface Month {
  month: string;
  begins_at: Date;
  ends_at: Date;
}

let store: Store;
/** Months that are over. Each test closes another one. */
let months: Month[];
beforeAll(async () => {
  store = await Store.open();
  months = [
    ...(await store.sql<Month[]>`
    select to_char(m, 'YYYY-MM') as month, app.day_begins(m::date) as begins_at, app.month_ends(m::date) as ends_at
    from generate_series(date_trunc('month', now()) - interval '6 months', date_trunc('month', now()) - interval '1 month', interval '1 month') as m`),
  ];
  // The last one stays in the default partition.
  await store.sql`call app.ensure_month_partitions((${months[0]!.begins_at}::timestamptz at time zone 'UTC')::date, (${months.at(-2)!.begins_at}::timestamptz at time zone 'UTC')::date)`;
});
afterAll(() => store.close());

const dayOf = ({ begins_at }: Month, day: number) => new Date(begins_at.getTime() + day * 86_400_000);

async function paid(buyer: number, at: Date): Promise<number> {
  const id = await store.order(buyer, 1, at);
  await store.sql`select from app.pay_order(${id}, 'test', ${`month-${id}`}, ${at})`;
  return id;
}

/** Paid orders of a month, whose settlement pays their referrer. */
async function ordersOf(month: Month, count: number): Promise<number[]> {
  const referrer = await store.signUp();
  await settle(store.sql, await paid(referrer, dayOf(month, 1)), month, 2);
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await paid(await store.signUp(referrer), dayOf(month, 3)));
  return ids;
}

const settle = (sql: postgres.Sql, id: number, month: Month, day = 10) =>
  sql`select from app.settle_order(${id}, ${dayOf(month, day)})`;
const close = (sql: postgres.Sql, { month }: Month) => sql`select sums, closed_at from app.close_month(${month}, null)`;
const sumsOf = async ({ begins_at, ends_at }: Month) =>
  (await store.sql`select app.bill_sums(${begins_at}, ${ends_at}) as sums`)[0]!.sums as {
    type: string;
    rows: number;
  }[];
const rowsOf = (sums: { type: string; rows: number }[], type: string) =>
  sums.filter((sum) => sum.type === type).reduce((rows, sum) => rows + sum.rows, 0);
const findings = () =>
  store.sql`select * from app.reconcile_closed_months() union all select * from app.reconcile_balances() union all select * from app.reconcile_grants()`;

describe("closing a month", () => {
  it.each(["commit", "rollback"] as const)(
    "waits for a transaction that has written a row of the month, and counts the row only after a commit: %s",
    async (ending) => {
      const month = months.shift()!;
      const [order] = await ordersOf(month, 1);
      const writer = store.connection();
      await writer`begin`;
      await settle(writer, order!, month);
      const closing = Promise.resolve(close(store.sql, month));
      await store.untilWaiting(1);
      await writer.unsafe(ending);
      await writer.end();
      const [{ sums } = {}] = await closing;
      expect(rowsOf(sums, "brokerage")).toBe(ending === "commit" ? 1 : 0);
      expect(sums).toEqual(await sumsOf(month));
      expect([...(await findings())]).toEqual([]);
    },
  );

  it("rejects the rows of a transaction that began before and writes afterwards, and the job settles its order in the open month", async () => {
    const month = months.shift()!;
    const [order] = await ordersOf(month, 1);
    const writer = store.connection();
    await writer`begin`;
    await writer`select from app.orders where id = ${order!} for update`;
    const [{ sums } = {}] = await close(store.sql, month);
    await expect(settle(writer, order!, month)).rejects.toThrow("month_closed");
    await writer`rollback`;
    await writer.end();

    await store.sql`select app.run_settlement_jobs(50, ${dayOf(month, 10)})`;
    expect([
      ...(await store.sql`select attempts, last_error from app.settlement_jobs where order_id = ${order!}`),
    ]).toEqual([{ attempts: 0, last_error: expect.stringContaining("month_closed") }]);
    await store.sql`select app.run_settlement_jobs(50)`;
    expect([
      ...(await store.sql`select add_time >= ${month.ends_at} as is_later from app.user_bill where order_id = ${order!} and type = 'brokerage'`),
    ]).toEqual([{ is_later: true }]);
    expect(sums).toEqual(await sumsOf(month));
    expect([...(await findings())]).toEqual([]);
  });

  it("while four writers go on: every row is counted or rejected, and no later one appears, without a deadlock", async () => {
    const month = months.shift()!;
    const orders = await ordersOf(month, 24);
    const deadlocks = await store.deadlocks();
    const settled: number[] = [];
    const rejected: string[] = [];
    const results = await store.together<unknown>([
      ...[0, 1, 2, 3].map((part) => async (sql: postgres.Sql) => {
        for (const id of orders.filter((_, index) => index % 4 === part)) {
          await settle(sql, id, month).then(
            () => settled.push(id),
            (error: Error) => rejected.push(error.message),
          );
        }
      }),
      (sql) => close(sql, month),
    ]);
    expect(messages(results)).toEqual([]);
    expect(rejected.filter((message) => message !== "month_closed")).toEqual([]);
    expect(settled.length + rejected.length).toBe(24);
    const [{ sums } = {}] =
      await store.sql`select sums from app.closed_months where to_char(month, 'YYYY-MM') = ${month.month}`;
    expect(rowsOf(sums, "brokerage")).toBe(settled.length);
    expect(sums).toEqual(await sumsOf(month));
    expect(await store.deadlocks()).toBe(deadlocks);
    expect([...(await findings())]).toEqual([]);
  });

  it("by four administrators at the same time closes it once", async () => {
    const month = months.shift()!;
    await ordersOf(month, 1);
    const results = await store.together(Array.from({ length: 4 }, () => (sql: postgres.Sql) => close(sql, month)));
    const closed = results.map((result) =>
      result.status === "fulfilled" ? (result.value[0]!.closed_at as Date).toISOString() : String(result.reason),
    );
    expect(new Set(closed).size).toBe(1);
    expect([...(await findings())]).toEqual([]);
  });
});
