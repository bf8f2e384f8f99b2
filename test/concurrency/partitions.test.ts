import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

/** Years without partitions. */
const [year, later] = [5, 6].map((years) => new Date().getUTCFullYear() + years);
const partitions = async (pattern: string) =>
  (await store.sql`select inhrelid from pg_inherits where inhrelid::regclass::text ~ ${pattern}`).length;

describe("new partitions", () => {
  it("are created without a deadlock while a writer locks the same tables in the opposite order", async () => {
    const buyer = await store.signUp();
    const order = await store.buy(buyer);
    const deadlocks = await store.deadlocks();
    const writer = store.connection();
    await writer`begin`;
    await writer`update app.users set nickname = 'Writer' where uid = ${buyer}`;
    const making = store.sql`call app.ensure_month_partitions(${`${year}-01-01`}, ${`${year}-02-01`})`.then(
      () => "made",
    );
    await store.untilWaiting(1);
    await writer`select from app.settle_order(${order}, clock_timestamp())`;
    await writer`select count(*) from app.user_bill`;
    await writer`commit`;
    await writer.end();
    expect(await making).toBe("made");
    expect(await store.deadlocks()).toBe(deadlocks);
    expect(await partitions(`${year}0[12]$`)).toBe(6);
  });

  it("are created while orders are paid, settled and refunded, and no transaction fails", async () => {
    const referrer = await store.reporter();
    const orders: number[] = [];
    for (let index = 0; index < 24; index++) orders.push(await store.order(await store.signUp(referrer)));
    const deadlocks = await store.deadlocks();
    const results = await store.together<unknown>([
      ...[0, 1, 2, 3].map((part) => async (sql: Store["sql"]) => {
        for (const id of orders.filter((_, index) => index % 4 === part)) {
          await sql`select from app.pay_order(${id}, 'test', ${`partitions-${id}`}, null)`;
          await sql`select app.run_settlement_jobs(5)`;
          if (id % 3 === 0) await sql`select from app.refund_order(${id}, null, null, null)`;
        }
      }),
      async (sql) => {
        await sql`call app.ensure_month_partitions(${`${later}-01-01`}, ${`${later}-12-01`})`;
      },
    ]);
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await store.deadlocks()).toBe(deadlocks);
    expect(await partitions(`${later}..$`)).toBe(36);
    await store.sql`select app.run_settlement_jobs()`;
    expect(await store.findings()).toEqual([]);
  });
});
