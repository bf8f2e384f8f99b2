import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

const rejections = (results: PromiseSettledResult<unknown>[]) =>
  results.filter((result) => result.status === "rejected").map((result) => result.reason);

describe("concurrent settlements", () => {
  // Guarantee rules/10-places: R10: concurrent orders of one referrer take consecutive places
  // By: the lock of the earner's balance, app.lock_balances
  it("of 50 orders of one referrer take 50 consecutive places and pay the ratio of each", async () => {
    const referrer = await store.reporter();
    const orders: number[] = [];
    for (let index = 0; index < 50; index++) orders.push(await store.buy(await store.signUp(referrer)));

    const deadlocks = await store.deadlocks();
    expect(
      rejections(
        await store.together(orders.map((id) => (sql) => sql`select from app.settle_order(${id}, clock_timestamp())`)),
      ),
    ).toEqual([]);
    const places =
      await store.sql`select (cycle_no - 1) * 3 + place as taken, commission from app.settlements where earner_uid = ${referrer} order by 1`;
    expect(places.map((place) => place.taken)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(places.map((place) => place.commission)).toEqual(
      Array.from({ length: 50 }, (_, index) => ["720.00", "1080.00", "1800.00"][index % 3]),
    );
    // 16 full cycles of 3600.00, and 720.00 + 1080.00.
    expect((await store.balances(referrer)).brokerage_price).toBe("59400.00");
    expect(await store.deadlocks()).toBe(deadlocks);
    expect(await store.findings()).toEqual([]);
  });

  // Guarantee money/settlement-once: An order is settled once
  // By: the primary key of app.settlements and the lock of the order, app.settle_order
  it("of one order by many callers, workers and its receipt settle it once", async () => {
    const referrer = await store.reporter();
    const id = await store.buy(await store.signUp(referrer));
    const results = await store.together([
      ...Array.from(
        { length: 4 },
        () => (sql: typeof store.sql) => sql`select from app.settle_order(${id}, clock_timestamp())`,
      ),
      ...Array.from({ length: 4 }, () => (sql: typeof store.sql) => sql`select app.run_settlement_jobs()`),
      (sql) => sql`select from app.confirm_receipt(${id}, clock_timestamp())`,
    ]);
    expect(rejections(results)).toEqual([]);
    expect(await store.balances(referrer)).toMatchObject({ brokerage_price: "720.00", total_places: 1 });
  });

  // Guarantee money/settlement-in-the-end: A paid order is settled in the end, whatever is killed
  // By: its job is a row until then, app.settlement_jobs
  it("lose nothing if a worker is killed, and another one finishes", async () => {
    const referrer = await store.reporter();
    const orders: number[] = [];
    for (let index = 0; index < 6; index++) orders.push(await store.buy(await store.signUp(referrer)));
    // The referrer's row is locked, so the worker blocks in the middle of its transaction.
    const holder = store.connection();
    await holder`begin`;
    await holder`select from app.user_balances where uid = ${referrer} for update`;
    const victim = store.connection();
    const [self] = await victim`select pg_backend_pid() as pid`;
    const killed = victim`select app.run_settlement_jobs()`.then(
      () => "finished",
      () => "cut off",
    );
    await store.untilWaiting(1);
    await store.sql`select pg_terminate_backend(${self?.pid})`;
    expect(await killed).toBe("cut off");
    await holder`rollback`;
    await Promise.all([holder.end(), victim.end({ timeout: 0 })]);

    const [waiting] =
      await store.sql`select count(*)::int as jobs from app.settlement_jobs where order_id in ${store.sql(orders)}`;
    expect(waiting?.jobs).toBe(6);
    const workers = await store.together(
      Array.from({ length: 2 }, () => (sql: typeof store.sql) => sql`select app.run_settlement_jobs() as handled`),
    );
    expect(rejections(workers)).toEqual([]);
    await store.sql`select app.run_settlement_jobs()`;
    expect(await store.balances(referrer)).toMatchObject({ brokerage_price: "7200.00", total_places: 6 });
    expect(await store.findings()).toEqual([]);
  });
});

describe("concurrent payments", () => {
  it("of one order pay it once, whether with one reference or with several", async () => {
    const buyer = await store.signUp();
    const [same, several] = [await store.order(buyer), await store.order(buyer)];
    const pay = (id: number, reference: string) => (sql: typeof store.sql) =>
      sql`select from app.pay_order(${id}, 'test', ${reference}, clock_timestamp())`;
    expect(rejections(await store.together(Array.from({ length: 8 }, () => pay(same, "one"))))).toEqual([]);
    const rejected = rejections(
      await store.together(Array.from({ length: 8 }, (_, index) => pay(several, `reference-${index}`))),
    );
    expect(rejected.map((error) => error.message)).toEqual(Array(7).fill("order_already_paid"));
    const jobs =
      await store.sql`select order_id from app.settlement_jobs where order_id in ${store.sql([same, several])}`;
    expect(jobs).toHaveLength(2);
  });

  it("of two orders with one reference pay one of them", async () => {
    const buyer = await store.signUp();
    const orders = [await store.order(buyer), await store.order(buyer)];
    const results = await store.together(
      orders.map(
        (id) => (sql: typeof store.sql) => sql`select from app.pay_order(${id}, 'test', 'shared', clock_timestamp())`,
      ),
    );
    expect(rejections(results).map((error) => error.message)).toEqual(["payment_reference_used"]);
  });

  it("do not wait for the settlement of another order", async () => {
    const referrer = await store.reporter();
    const buyer = await store.signUp(referrer);
    const [first, second] = [await store.buy(buyer), await store.order(buyer)];
    const settling = store.connection();
    await settling`begin`;
    await settling`select from app.settle_order(${first}, clock_timestamp())`;
    await store.sql`select from app.pay_order(${second}, 'test', 'meanwhile', clock_timestamp())`;
    await settling`commit`;
    await settling.end();
  });
});

describe("a refund during the settlement of its order", () => {
  it("leaves nothing paid, whichever is first", async () => {
    for (let round = 0; round < 6; round++) {
      const referrer = await store.reporter();
      const id = await store.buy(await store.signUp(referrer));
      const results = await store.together([
        (sql) => sql`select from app.settle_order(${id}, clock_timestamp())`,
        (sql) => sql`select from app.refund_order(${id}, null, null, clock_timestamp())`,
      ]);
      expect(rejections(results)).toEqual([]);
      expect(await store.balances(referrer)).toMatchObject({
        brokerage_price: "0.00",
        frozen_points: "0.0000",
        total_places: 0,
        direct_orders: 0,
      });
    }
    expect(await store.findings()).toEqual([]);
  });
});
