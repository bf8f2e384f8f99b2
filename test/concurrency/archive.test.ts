import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store, until } from "./store.ts";

let store: Store;
/** Earns from an order of each of the months. */
let referrer: number;
/** A received order of each of the months, which paid its referrer. */
const orders: Record<string, number> = {};

async function receivedOrder(buyer: number, at: Date): Promise<number> {
  const id = await store.order(buyer, 1, at);
  await store.sql`select from app.pay_order(${id}, 'test', ${`archive-${id}`}, ${at})`;
  await store.sql`select from app.settle_order(${id}, ${at})`;
  await store.sql`select from app.deliver_order(${id}, ${at})`;
  await store.sql`select from app.confirm_receipt(${id}, ${at})`;
  return id;
}

beforeAll(async () => {
  store = await Store.open();
  referrer = await store.signUp();
  await store.sql`call app.ensure_month_partitions('2025-03-01', '2025-05-01')`;
  await receivedOrder(referrer, new Date("2025-03-02T00:00:00Z"));
  for (const month of ["2025-03", "2025-04", "2025-05"])
    orders[month] = await receivedOrder(await store.signUp(referrer), new Date(`${month}-05T00:00:00Z`));
  for (const month of ["2025-03", "2025-04", "2025-05", "2025-06"]) await store.sql`select from app.close_month(${month}, null)`;
  await store.sql`call app.record_reconcile()`;
});
afterAll(() => store.close());

const archive = (sql: Store["sql"], month: string) => sql`select app.archive_month('user_bill', ${`${month}-01`}::date) as is_new`;
/** Reads that need the months before, each as text. */
const reads: Record<string, (sql: Store["sql"]) => Promise<unknown>> = {
  "a statement": (sql) => sql`select app.statement_json(${referrer}, '2025-06')`,
  "a page of the bill": (sql) => sql`select app.bill_page(${referrer}, null, null, null, 1, 50, null)`,
  "the commission since a time": (sql) => sql`select app.commission_since(${referrer}, '2025-06-01Z')`,
  "the export of a member": (sql) => sql`select app.export_member(${referrer}, null)`,
  "the orders of a team": (sql) => sql`select list from app.team_orders(${referrer}, 'infinity', 9223372036854775807, 20)`,
  "an explanation": (sql) => sql`select app.explain_order(${orders["2025-05"]!})`,
  "a reconciliation": (sql) => sql`select * from app.reconcile()`,
};

const refund = (sql: Store["sql"], id: number) => sql`select state from app.refund_order(${id}, null, null, null)`;

describe("a month that is archived", () => {
  it("waits for a refund of one of its orders, and lets others settle meanwhile", async () => {
    const deadlocks = await store.deadlocks();
    const order = await store.buy(await store.reporter());
    const writer = store.connection();
    await writer`begin`;
    await refund(writer, orders["2025-03"]!);
    const archiving = archive(store.sql, "2025-03").then((rows) => rows[0]?.is_new as boolean);
    await store.untilPausing();
    await store.settle(order);
    await writer`commit`;
    await writer.end();
    expect(await archiving).toBe(true);
    expect(await store.deadlocks()).toBe(deadlocks);
    expect(await store.findings()).toEqual([]);
  });

  it("refuses a refund that waited for it", async () => {
    const archiver = store.connection();
    await archiver`begin`;
    await archive(archiver, "2025-04");
    const refunding = Promise.resolve(refund(store.sql, orders["2025-04"]!)).then(
      () => "refunded",
      (error: Error) => error.message,
    );
    await store.untilWaiting(1);
    await archiver`commit`;
    await archiver.end();
    expect(await refunding).toBe("order_archived");
    expect(await store.findings()).toEqual([]);
  });

  it("waits for a late release of one of its days to begin, and is left attached until that has ended", async () => {
    await store.sql`call app.attach_months('user_bill', '2025-04')`;
    const releaser = store.connection();
    await releaser`begin`;
    await releaser`select app.reject_archived_release('2025-04-30')`;
    const archiving = archive(store.sql, "2025-04").then(
      () => "archived",
      (error: Error & { detail?: string }) => error.message,
    );
    await store.untilPausing();
    await releaser`select app.begin_release('2025-04-30', true, now())`;
    await releaser`commit`;
    expect(await archiving).toBe("invalid_argument");
    await releaser`select app.end_release('2025-04-30', 0, now())`;
    expect([...(await archive(releaser, "2025-04"))]).toEqual([{ is_new: true }]);
    await releaser.end();
  });

  it("refuses a late release that waited for it", async () => {
    await store.sql`call app.attach_months('user_bill', '2025-04')`;
    const archiver = store.connection();
    await archiver`begin`;
    await archive(archiver, "2025-04");
    const releasing = Promise.resolve(store.sql`call app.release_frozen_points('2025-04-29'::date, '2025-04-30Z'::timestamptz)`).then(
      () => "released",
      (error: Error) => error.message,
    );
    await store.untilWaiting(1);
    await archiver`commit`;
    await archiver.end();
    expect(await releasing).toBe("month_archived");
    expect(await store.findings()).toEqual([]);
  });

  it("and attached again while orders are paid, settled and refunded: no transaction fails, and no money is lost", async () => {
    const referrer = await store.reporter();
    const bought: number[] = [];
    for (let index = 0; index < 16; index++) bought.push(await store.order(await store.signUp(referrer)));
    const deadlocks = await store.deadlocks();
    const results = await store.together<unknown>([
      ...[0, 1, 2, 3].map((part) => async (sql: Store["sql"]) => {
        for (const id of bought.filter((_, index) => index % 4 === part)) {
          await sql`select from app.pay_order(${id}, 'test', ${`beside-${id}`}, null)`;
          await sql`select app.run_settlement_jobs(5)`;
          if (id % 3 === 0) await refund(sql, id);
        }
      }),
      async (sql) => {
        for (let round = 0; round < 3; round++) {
          await sql`call app.attach_months('user_bill', '2025-04')`;
          await archive(sql, "2025-04");
        }
        await sql`call app.attach_months('user_bill', '2025-03')`;
      },
    ]);
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await store.deadlocks()).toBe(deadlocks);
    await store.sql`select app.run_settlement_jobs()`;
    expect([...(await store.sql`select * from app.archived_months`)]).toEqual([]);
    expect((await refund(store.sql, orders["2025-04"]!))[0]).toMatchObject({ state: "refunded" });
    expect(await store.findings()).toEqual([]);
  });

  it("by two callers at the same time is archived once", async () => {
    await archive(store.sql, "2025-03");
    const results = await store.together([0, 1].map(() => (sql: Store["sql"]) => archive(sql, "2025-04")));
    expect(results.map((result) => (result.status === "fulfilled" ? result.value[0]!.is_new : String(result.reason))).sort()).toEqual([
      false,
      true,
    ]);
    expect(await store.findings()).toEqual([]);
  });

  it.each(Object.entries(reads))("is never half of what a read shows that waited for it: %s is to be repeated", async (_, read) => {
    const before = await read(store.sql);
    const outcome = () =>
      read(store.sql).then(
        () => "shown",
        (error: { code: string }) => error.code,
      );
    const archiver = store.connection();
    try {
      await archiver`begin`;
      await archive(archiver, "2025-05");
      const whileDetached = outcome();
      await store.untilWaiting(1);
      await archiver`commit`;
      expect(await whileDetached).toBe("40001");
      await archiver`begin`;
      await archiver`select app.attach_month('user_bill', '2025-05-01')`;
      const whileAttached = outcome();
      await store.untilWaiting(1);
      await archiver`commit`;
      expect(await whileAttached).toBe("40001");
      expect(await read(store.sql)).toEqual(before);
    } finally {
      await archiver.end();
      await store.sql`call app.attach_months('user_bill', '2025-05')`;
    }
  });

  it("is archived after a long read of it by the job, which nobody waits for meanwhile", async () => {
    const order = await store.buy(await store.reporter());
    await store.sql`update app.scheduled_jobs set is_active = true where name = 'archive_due_months'`;
    const reader = store.connection();
    await reader`begin`;
    const [seen] = await reader`select count(*)::integer as rows from app.user_bill where add_time < '2025-06-01Z'`;
    expect(seen?.rows).toBeGreaterThan(0);
    await until(async () => (await store.sql`select app.has_long_reader('app.user_bill_202505') as is_long`)[0]?.is_long as boolean);
    const job = Promise.resolve(store.sql`call app.archive_due_months()`).then(
      () => "archived",
      (error: { code: string }) => error.code,
    );
    await store.untilPausing();
    const writers = store.connection();
    await writers`set lock_timeout = '50ms'`;
    await writers`select from app.settle_order(${order}, clock_timestamp())`;
    expect((await refund(writers, order))[0]).toMatchObject({ state: "refunded" });
    // Every settlement and every refund takes this lock first.
    let isOver = false;
    void job.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await writers`select app.lock_structure_shared()`;
      await pause(5);
    }
    await writers.end();
    expect(await job).toBe("55P03");
    expect([...(await reader`select count(*)::integer as rows from app.user_bill where add_time < '2025-06-01Z'`)]).toEqual([seen]);
    await reader`commit`;
    await reader.end();
    await store.sql`call app.continue_unfinished_runs()`;
    expect([
      ...(await store.sql`select to_char(month, 'YYYY-MM') as month from app.archived_months where table_name = 'user_bill' order by month`),
    ]).toEqual(["2025-03", "2025-04", "2025-05"].map((month) => ({ month })));
    expect(await store.findings()).toEqual([]);
  });
});
