import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

type Sql = Store["sql"];
const rejections = (results: PromiseSettledResult<unknown>[]) =>
  results.filter((result) => result.status === "rejected").map((result) => result.reason);

describe("concurrent bindings", () => {
  it("of members to each other never create a cycle", async () => {
    const ring = [await store.signUp(), await store.signUp(), await store.signUp()];
    const bind = (uid: number, to: number) => (sql: Sql) =>
      sql`select app.bind_spread(${uid}, ${to}, clock_timestamp())`;
    const results = await store.together(ring.map((uid, index) => bind(uid, ring[(index + 1) % 3]!)));
    expect(rejections(results).map((error) => error.message)).toEqual(["spread_in_own_downline"]);
  });

  it("during the settlement of orders below lose no count in the new upline", async () => {
    for (let round = 0; round < 8; round++) {
      const [top, member] = [await store.signUp(), await store.signUp()];
      const orders: number[] = [];
      for (let index = 0; index < 3; index++) orders.push(await store.buy(await store.signUp(member)));
      const results = await store.together([
        ...orders.map((id) => (sql: Sql) => sql`select from app.settle_order(${id}, clock_timestamp())`),
        (sql) => sql`select app.bind_spread(${member}, ${top}, clock_timestamp())`,
      ]);
      expect(rejections(results)).toEqual([]);
      expect(await store.balances(top)).toMatchObject({ umbrella_orders: 3, umbrella_members: 3, direct_orders: 0 });
    }
    expect(await store.findings()).toEqual([]);
  });
});

describe("a referrer who is corrected while an order is placed", () => {
  it("is that of the order, too, whichever comes first", async () => {
    const [right, wrong] = [await store.reporter(), await store.reporter()];
    const items = store.sql.json([{ product_id: store.product, quantity: 1 }]);
    for (let round = 0; round < 6; round++) {
      const member = await store.signUp(wrong);
      const results = await store.together<unknown>([
        // The order is placed, and its transaction stays open for a while.
        (sql) =>
          sql`with placed as (select id from app.create_order(${member}, ${items}, clock_timestamp())) select pg_sleep(0.2) from placed`,
        (sql) =>
          sql`select pg_sleep(${round * 0.04}), app.set_spread(${member}, ${right}, 'The wrong link', null, clock_timestamp())`,
      ]);
      expect(rejections(results)).toEqual([]);
      const [order] = await store.sql`select id::integer, referrer_uid::integer from app.orders where uid = ${member}`;
      expect(order!.referrer_uid).toBe(right);
      await store.sql`select from app.pay_order(${order!.id}, 'test', ${`corrected-${member}`}, clock_timestamp())`;
      await store.settle(order!.id);
      const [settlement] =
        await store.sql`select earner_uid::integer from app.settlements where order_id = ${order!.id}`;
      expect(settlement!.earner_uid).toBe(right);
    }
    expect(await store.findings()).toEqual([]);
  });
});

describe("all operations concurrently on shared ancestors", () => {
  // Guarantee faults/deadlocks: Operations on shared ancestors never deadlock
  // By: one lock order (decision 0002), app.lock_balances
  it("end without a deadlock and with every balance equal to its bill", async () => {
    const root = await store.reporter();
    const middles = await Promise.all(Array.from({ length: 3 }, () => store.reporter(root)));
    const buyers: number[] = [];
    for (const middle of middles) for (let index = 0; index < 5; index++) buyers.push(await store.reporter(middle));
    const loners = await Promise.all(Array.from({ length: 3 }, () => store.signUp()));
    const toSettle: number[] = [];
    const toRefund: number[] = [];
    for (const buyer of buyers) {
      toSettle.push(await store.buy(buyer, 2), await store.buy(buyer));
      const id = await store.buy(buyer, 3);
      await store.settle(id);
      toRefund.push(id);
    }
    const deadlocks = await store.deadlocks();
    const [today] = await store.sql`select app.business_day(clock_timestamp())::text as day`;
    const results = await store.together<unknown>([
      ...toSettle.map((id) => (sql: Sql) => sql`select from app.settle_order(${id}, clock_timestamp())`),
      ...toRefund.map((id) => (sql: Sql) => sql`select from app.refund_order(${id}, null, null, clock_timestamp())`),
      ...[1, 2, 3].map(() => (sql: Sql) => sql`select app.run_settlement_jobs(5)`),
      ...[1, 2].map(() => (sql: Sql) => sql`call app.release_frozen_points(${today?.day}, null, 2)`),
      ...middles.map((uid) => (sql: Sql) => sql`select app.set_no_assess(${uid}, true, null, clock_timestamp())`),
      ...middles.map(
        (uid, index) => (sql: Sql) => sql`select app.set_agent_level(${uid}, ${index + 1}, null, clock_timestamp())`,
      ),
      ...loners.map((uid) => (sql: Sql) => sql`select app.bind_spread(${uid}, ${buyers[0]!}, clock_timestamp())`),
    ]);
    expect(rejections(results)).toEqual([]);
    expect(await store.deadlocks()).toBe(deadlocks);
    expect(await store.findings()).toEqual([]);
    const [released] =
      await store.sql`select count(*) - count(distinct uid) as twice, count(*)::int as members from app.points_release_log`;
    expect(released).toMatchObject({ twice: "0" });
    expect(released?.members).toBeGreaterThan(0);
  });
});
