import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

async function newProduct(stock: number | null): Promise<number> {
  const [product] =
    await store.sql`insert into app.products (title, price, stock) values ('Cup', 10, ${stock}) returning id`;
  return Number(product!.id);
}

const stockOf = async (id: number) =>
  Number((await store.sql`select stock from app.products where id = ${id}`)[0]!.stock);
const place = (sql: postgres.Sql, buyer: number, products: number[]) =>
  sql`select id from app.create_order(${buyer}, ${JSON.stringify(products.map((id) => ({ product_id: id, quantity: 1 })))}::text::jsonb, now())`;

describe("the last units of a product", () => {
  // Guarantee money/never-below-zero
  it("are sold once each to concurrent orders, in any order of their items", async () => {
    const buyer = await store.signUp();
    const [one, two] = [await newProduct(5), await newProduct(5)];
    const results = await store.together(
      Array.from({ length: 8 }, (_, n) => (sql: postgres.Sql) => place(sql, buyer, n % 2 ? [one, two] : [two, one])),
    );
    const rejected = results.filter((result): result is PromiseRejectedResult => result.status === "rejected");
    expect(rejected.map(({ reason }) => reason.message)).toEqual(Array(3).fill("out_of_stock"));
    expect([await stockOf(one), await stockOf(two)]).toEqual([0, 0]);
  });

  it("return to the stock once each from orders that are cancelled while others are placed", async () => {
    const buyer = await store.signUp();
    const product = await newProduct(4);
    const orders = await Promise.all(
      Array.from({ length: 4 }, async () => Number((await place(store.sql, buyer, [product]))[0]!.id)),
    );
    const cancel = (id: number) => (sql: postgres.Sql) => sql`select app.cancel_order(${id}, now())`;
    const results = await store.together(
      [...orders, ...orders].flatMap((id) => [cancel(id), (sql: postgres.Sql) => place(sql, buyer, [product])]),
    );
    const placed = results.filter((result, n) => n % 2 === 1 && result.status === "fulfilled").length;
    expect(results.filter((result, n) => n % 2 === 0 && result.status === "rejected")).toEqual([]);
    expect(await stockOf(product)).toBe(4 - placed);
  });

  it("never delay orders of products without a limit", async () => {
    const buyer = await store.signUp();
    const [limited, unlimited] = [await newProduct(1), await newProduct(null)];
    await store.sql.begin(async (holding) => {
      await holding`select from app.products where id in (${limited}, ${unlimited}) for no key update`;
      await place(store.sql, buyer, [unlimited]);
    });
    expect(await stockOf(limited)).toBe(1);
  });
});
