import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

const order = (sql: postgres.Sql | postgres.TransactionSql, claims: string, items: string) =>
  sql`select app.as_caller(${claims}::text::jsonb, 'create_order', ${items}::text::jsonb) as result`;

describe("the limit of unpaid orders", () => {
  it("applies to concurrent orders of one member, and not to other members", async () => {
    const [product] = await store.sql`insert into app.products (title, price) values ('Tea', 1) returning id`;
    const members =
      await store.sql`insert into auth.users (email_confirmed_at, id, email) select now(), gen_random_uuid(), 'buyer' || n || '@example.com' from generate_series(1, 2) as n returning id`;
    const [buyer, other] = members.map(({ id }) => JSON.stringify({ role: "authenticated", sub: id })) as [
      string,
      string,
    ];
    const items = JSON.stringify({ p_items: [{ product_id: Number(product!.id), quantity: 1 }] });
    await store.sql`update app.settings set max_unpaid_orders = 3`;
    const results = await store.together(
      Array.from({ length: 8 }, () => (sql: postgres.Sql) => order(sql, buyer, items)),
    );
    const rejected = results.filter((result): result is PromiseRejectedResult => result.status === "rejected");
    expect(rejected.map(({ reason }) => reason.message)).toEqual(Array(5).fill("too_many_unpaid_orders"));
    expect(await store.sql`select id from app.orders where state = 'unpaid'`).toHaveLength(3);
    await order(store.sql, other, items);

    const [open] = await store.sql`select min(o.id) as id from app.orders as o`;
    await store.sql`select app.cancel_order(${open!.id}, now())`;
    await order(store.sql, buyer, items);
    await expect(order(store.sql, buyer, items)).rejects.toThrow("too_many_unpaid_orders");
  });
});
