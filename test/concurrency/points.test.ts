import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

type Work = (sql: postgres.Sql) => Promise<unknown>;

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

let store: Store;
/** A product with a limited stock, which orders lock, and one without. */
let tea: number;
let cup: number;
let spender: Earner;
let busy: Earner;
let racer: Earner;

interface Earner {
  uid: number;
  /** The settled orders of direct members. */
  orders: number[];
}

/** An order of twenty days ago, settled. */
async function orderedBefore(buyer: number): Promise<number> {
  const [row] = await store.sql`
    select o.id from app.products as p cross join lateral app.create_order(${buyer}, jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 1)), ${daysAgo(20)}) as o
    where p.is_queue_goods`;
  const id = Number(row!.id);
  await store.sql`select from app.pay_order(${id}, 'test', ${`test-${id}`}, ${daysAgo(20)})`;
  await store.sql`select from app.settle_order(${id}, ${daysAgo(20)})`;
  return id;
}

async function earner(count: number): Promise<Earner> {
  const uid = await store.signUp();
  await orderedBefore(uid);
  const orders: number[] = [];
  for (let index = 0; index < count; index++) orders.push(await orderedBefore(await store.signUp(uid)));
  return { uid, orders };
}

beforeAll(async () => {
  store = await Store.open();
  const products =
    await store.sql`insert into app.products (title, price, stock) values ('Tea', 100, 100000), ('Cup', 100, null) returning id`;
  [tea, cup] = products.map(({ id }) => Number(id)) as [number, number];
  await store.sql`update app.settings set lifecycle_from = '2026-01-01'`;
  // The few points that a test earns pay much.
  await store.sql`select from app.set_settings('{"points_rate": 0.01, "points_max_share": 0.5}', now())`;
  [spender, busy, racer] = [await earner(1), await earner(6), await earner(4)];
  await store.sql`call app.release_frozen_points(null, ${daysAgo(19)})`;
});
afterAll(() => store.close());

const place = (sql: postgres.Sql, buyer: number, usePoints: number, product: number, at: Date | null = null) =>
  sql`select o.id from app.create_order(${buyer}, jsonb_build_array(jsonb_build_object('product_id', ${product}::bigint, 'quantity', 1)), ${at}, p_use_points => ${usePoints}) as o`;
const rejected = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === "rejected" ? [(result.reason as Error).message] : []));

/** Every row that took points left no debt, times follow the sequence of the bill, and reconcile() finds nothing. */
async function expectSoundBooks(): Promise<void> {
  expect(
    await store.sql`select uid, id, available_after from app.user_bill where type = 'points_spent' and available_after < 0`,
  ).toEqual([]);
  expect(
    await store.sql`
    select l.uid, l.id from (select b.uid, b.id, b.add_time < lag(b.add_time) over (partition by b.uid order by b.id) as is_earlier from app.user_bill as b) as l
    where l.is_earlier`,
  ).toEqual([]);
  expect(await store.findings()).toEqual([]);
}

describe("the points of one member", () => {
  // Guarantee money/never-below-zero: Points and stock are never spent below zero
  // By: constraints and locks, app.user_balances
  it("are spent once each, however many orders want them at the same time", async () => {
    const { uid } = spender;
    const { available_points } = await store.balances(uid);
    expect(available_points).toBe("0.2880");
    const results = await store.together(
      Array.from({ length: 8 }, () => (sql: postgres.Sql) => place(sql, uid, 0.1, cup)),
    );
    expect(rejected(results)).toEqual([]);
    const spent =
      await store.sql`select points_spent, paid_by_points from app.orders where uid = ${uid} and points_spent > 0 order by points_spent desc`;
    expect(spent.map(({ points_spent, paid_by_points }) => `${points_spent} ${paid_by_points}`)).toEqual([
      "0.1000 10.00",
      "0.1000 10.00",
      "0.0880 8.80",
    ]);
    expect((await store.balances(uid)).available_points).toBe("0.0000");
    await expectSoundBooks();
  });

  it("return from an order that is cancelled, expires and is paid at once, or pay for it: never both", async () => {
    const { uid } = racer;
    const before = (await store.balances(uid)).available_points;
    const ids: number[] = [];
    for (let index = 0; index < 8; index++)
      ids.push(Number((await place(store.sql, uid, 0.05, tea, daysAgo(10)))[0]!.id));
    const results = await store.together(
      ids.flatMap((id): Work[] => [
        (sql) => sql`select from app.cancel_order(${id}, null)`,
        (sql) => sql`select from app.expire_order(${id}, null)`,
        (sql) => sql`select from app.pay_order(${id}, 'test', ${`race-${id}`}, null)`,
      ]),
    );
    expect(rejected(results).filter((message) => message !== "order_state_conflict")).toEqual([]);
    const orders = await store.sql`select state, points_spent, points_left from app.orders where id = any (${ids})`;
    expect(
      orders.filter(
        ({ state, points_spent, points_left }) => points_left !== (state === "paid" ? points_spent : "0.0000"),
      ),
    ).toEqual([]);
    const [{ kept }] =
      (await store.sql`select coalesce(sum(points_left), 0) as kept from app.orders where id = any (${ids})`) as unknown as [
        { kept: string },
      ];
    expect(Number((await store.balances(uid)).available_points)).toBeCloseTo(Number(before) - Number(kept), 4);
    await expectSoundBooks();
  });

  it("survive spending, cancellation, expiry, release, refunds and settlements at once, without a deadlock", async () => {
    const deadlocks = await store.deadlocks();
    const { uid, orders } = busy;
    const waiting = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const id = await store.order(await store.signUp(uid));
        await store.sql`select from app.pay_order(${id}, 'test', ${`test-${id}`}, null)`;
        return id;
      }),
    );
    const placed: number[] = [];
    for (let index = 0; index < 6; index++) placed.push(Number((await place(store.sql, uid, 0.05, tea))[0]!.id));
    const pay = placed.slice(0, 3);
    for (const id of pay) await store.sql`select from app.pay_order(${id}, 'test', ${`tea-${id}`}, null)`;

    const each =
      (ids: number[], query: (sql: postgres.Sql, id: number) => PromiseLike<unknown>): Work =>
      async (sql) => {
        for (const id of ids) await query(sql, id);
      };
    const works: Work[] = [
      ...[0, 1, 2, 3].map((): Work => async (sql) => {
        for (let index = 0; index < 10; index++) await place(sql, uid, 0.02 * (index % 4), index % 2 ? tea : cup);
      }),
      each(placed.slice(3), (sql, id) => sql`select from app.cancel_order(${id}, null)`),
      each(pay, (sql, id) => sql`select from app.refund_order(${id}, null, null, null)`),
      each(orders, (sql, id) => sql`select from app.refund_order(${id}, null, null, null)`),
      each(waiting.slice(0, 3), (sql, id) => sql`select from app.settle_order(${id}, null)`),
      each(waiting.slice(3), (sql, id) => sql`select from app.settle_order(${id}, null)`),
      // Today and the days since the first release.
      async (sql) => {
        await sql`call app.release_frozen_points()`;
      },
    ];
    expect(rejected(await store.together(works))).toEqual([]);
    expect(await store.deadlocks()).toBe(deadlocks);
    await expectSoundBooks();
  });
});
