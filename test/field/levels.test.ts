import type postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cloneDatabase, type ClonedDatabase, connect, rolledBack } from "../support/index.ts";

// What went wrong with levels in other shops. Each test names its sources and works by hand with the default plan and
// levels: three direct orders make level 1, which brings 500 direct points per unit, 1 point per 1.00 of commission, 3
// places at 0.2 / 0.3 / 0.5.

let clone: ClonedDatabase;
let sql: postgres.Sql;
beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
});
afterAll(async () => {
  await sql?.end();
  await clone?.drop();
});

/** A store. Every step comes a minute after the one before. */
class Shop {
  private at = Date.now() - 86_400_000;
  readonly tx: postgres.Sql | postgres.TransactionSql;
  constructor(tx: postgres.Sql | postgres.TransactionSql) {
    this.tx = tx;
  }
  now(): Date {
    this.at += 60_000;
    return new Date(this.at);
  }
  async join(under: number | null = null): Promise<number> {
    const [account] = await this.tx`
      insert into auth.users (email_confirmed_at, id, raw_user_meta_data) values (${this.now()}, gen_random_uuid(), ${this.tx.json({ spread: under })}) returning id`;
    const [user] = await this.tx`select uid::integer from app.users where auth_id = ${account!.id}`;
    return user!.uid as number;
  }
  /** An order of one unit of queue goods at 1.00, paid and settled. */
  async buy(uid: number): Promise<number> {
    const [product] = await this
      .tx`insert into app.products (title, price, is_queue_goods) values ('Goods', 1.00, true) returning id::integer`;
    const items = this.tx.json([{ product_id: product!.id as number, quantity: 1 }]);
    const [order] = await this.tx`select (app.create_order(${uid}, ${items}, ${this.now()})).id::integer as id`;
    await this.tx`select from app.pay_order(${order!.id}, 'test', ${`paid-${order!.id}`}, ${this.now()})`;
    await this.tx`select from app.settle_order(${order!.id}, ${this.now()})`;
    return order!.id as number;
  }
  request(order: number) {
    return this.tx`select from app.request_refund(${order}, null, 'Changed my mind', ${this.now()})`;
  }
  refuse(order: number) {
    return this.tx`select from app.refuse_refund(${order}, ${this.now()})`;
  }
  setLevel(uid: number, grade: number, held: boolean | null) {
    return this.tx`select from app.set_agent_level(${uid}, ${grade}::smallint, null, ${this.now()}, ${held})`;
  }
  async level(uid: number): Promise<number> {
    const [user] = await this.tx`select agent_level::integer as level from app.users where uid = ${uid}`;
    return user!.level as number;
  }
  /** How far the member is, as their own page shows it. */
  async page(uid: number) {
    const [row] = await this.tx`
      select n -> 'in_review' as in_review, (n #>> '{tasks,0,current}')::integer as current, (n #>> '{tasks,0,target}')::integer as target
      from app.users as u join app.user_balances as b using (uid) cross join lateral app.next_level_json(u, b) as n where u.uid = ${uid}`;
    return row!;
  }
  async directPoints(uid: number): Promise<number> {
    const [row] = await this
      .tx`select coalesce(sum(frozen_delta), 0)::float8 as points from app.user_bill where uid = ${uid} and source = 'direct'`;
    return row!.points as number;
  }
}

const inShop = (work: (shop: Shop) => Promise<void>) => () =>
  rolledBack(sql, async (tx) => {
    await work(new Shop(tx));
    expect(await tx`select * from app.reconcile()`).toEqual([]);
  });

// frappe/erpnext#14930 and #45450, DivanteLtd/open-loyalty#74: the target is met, and the tier does not change.
it(
  "a refused request completes the tasks at once",
  inShop(async (shop) => {
    const top = await shop.join();
    const buyer = await shop.join(top);
    const first = await shop.buy(buyer);
    await shop.request(first);
    await shop.buy(buyer);
    await shop.buy(buyer);
    expect(await shop.page(top)).toEqual({ in_review: false, current: 2, target: 3 });
    await shop.refuse(first);
    expect(await shop.level(top)).toBe(1);
  }),
);

// The same kind: of two equal histories, the one with a request that is refused pays less.
it(
  "a refused request costs nobody points",
  inShop(async (shop) => {
    const points: number[] = [];
    for (const isAsked of [false, true]) {
      const top = await shop.join();
      const buyer = await shop.join(top);
      const first = await shop.buy(buyer);
      if (isAsked) await shop.request(first);
      await shop.buy(buyer);
      await shop.buy(buyer);
      if (isAsked) await shop.refuse(first);
      await shop.buy(buyer);
      points.push(await shop.directPoints(top));
    }
    expect(points).toEqual([500, 500]);
  }),
);

// wpswings/points-and-rewards-for-woocommerce#111: an order that counts again after it had ceased to gives nothing
// back.
it(
  "an order that counts again raises once, and is not paid again",
  inShop(async (shop) => {
    const top = await shop.join();
    const buyer = await shop.join(top);
    const orders = [await shop.buy(buyer), await shop.buy(buyer), await shop.buy(buyer)];
    await shop.setLevel(top, 0, false);
    const before = await shop.directPoints(top);
    await shop.request(orders[2]!);
    await shop.refuse(orders[2]!);
    await shop.request(orders[2]!);
    await shop.refuse(orders[2]!);
    expect([await shop.level(top), (await shop.directPoints(top)) - before]).toEqual([1, 0]);
  }),
);

// DivanteLtd/open-loyalty#74: nobody can say whether a level that was set by hand still follows the tasks.
it(
  "a level set by hand follows the tasks unless it is held, and the page says which",
  inShop(async (shop) => {
    const top = await shop.join();
    const buyer = await shop.join(top);
    for (let order = 1; order <= 3; order++) await shop.buy(buyer);
    await shop.setLevel(top, 0, false);
    expect([await shop.level(top), (await shop.page(top)).in_review]).toEqual([0, true]);
    await shop.setLevel(top, 0, true);
    expect((await shop.page(top)).in_review).toBe(false);
    await shop.buy(buyer);
    expect(await shop.level(top)).toBe(0);
    await shop.setLevel(top, 0, false);
    expect(await shop.level(top)).toBe(1);
  }),
);
