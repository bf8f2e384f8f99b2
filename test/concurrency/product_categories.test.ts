import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, Editor, type Sql } from "./editor.ts";
import type { Store } from "./store.ts";

let store: Store;
let request: Editor["request"];

beforeAll(async () => {
  const editor = await Editor.open();
  store = editor.store;
  request = editor.request.bind(editor);
});
afterAll(() => store.close());

const newCategory = async () => (await request(store.sql, "create_product_category", { p_title: "Tea" })).id as number;

describe("deleting a category while a product is being put into it", () => {
  it("waits for the product and then fails", async () => {
    const p_category_id = await newCategory();
    const writer = store.connection();
    let deleted!: Promise<string>;
    await writer.begin(async (sql) => {
      await request(sql, "create_product", { p_title: "First", p_price: 1, p_category_id });
      deleted = codeOf(request(store.sql, "delete_product_category", { p_id: p_category_id }));
      await store.untilWaiting(1);
    });
    await writer.end();
    expect(await deleted).toBe("product_category_in_use");
  });

  it("makes a product that comes later fail", async () => {
    const p_category_id = await newCategory();
    const deleter = store.connection();
    let written!: Promise<string>;
    await deleter.begin(async (sql) => {
      await request(sql, "delete_product_category", { p_id: p_category_id });
      written = codeOf(request(store.sql, "create_product", { p_title: "Late", p_price: 1, p_category_id }));
      await store.untilWaiting(1);
    });
    await deleter.end();
    expect(await written).toBe("product_category_not_found");
  });
});

describe("categories and the first page that several administrators change at the same time", () => {
  it("end as one of them has left them, without deadlocks", async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, newCategory));
    const all = (await store.sql`select id from app.product_categories where not is_del order by id`).map(({ id }) => Number(id));
    const products = await Promise.all(
      ids.map(
        async (p_category_id) => (await request(store.sql, "create_product", { p_title: "Tea", p_price: 1, p_category_id })).id as number,
      ),
    );
    const deadlocks = await store.deadlocks();
    const turned = <Item>(list: Item[], by: number) => [...list.slice(by % list.length), ...list.slice(0, by % list.length)];
    const editor = (seed: number) => async (sql: Sql) => {
      for (let round = 0; round < 10; round++) {
        const p_featured = turned(products, seed + round);
        const p_banners = p_featured.map((product_id) => ({ image: "https://example.com/a.png", title: String(seed), product_id }));
        await request(sql, "sort_product_categories", { p_ids: turned(all, seed + round) });
        await request(sql, "set_first_page", { p_banners, p_featured });
        await request(sql, "set_product", { p_id: products[seed % products.length], p_category_id: ids[round % ids.length] });
      }
    };
    const results = await store.together(Array.from({ length: 6 }, (_, seed) => editor(seed)));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await store.deadlocks()).toBe(deadlocks);
    const featured = (await store.sql`select product_id from app.featured_products order by rank`).map(({ product_id }) =>
      Number(product_id),
    );
    const banners = await store.sql`select title, product_id from app.banners order by rank`;
    expect(banners.map(({ product_id }) => Number(product_id))).toEqual(featured);
    expect(new Set(banners.map(({ title }) => title)).size).toBe(1);
    const sequence = (await store.sql`select id from app.product_categories where not is_del order by rank, id`).map(({ id }) =>
      Number(id),
    );
    expect(all.map((_, by) => turned(all, by))).toContainEqual(sequence);
  });
});
