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

const newCategory = async (kind: "article" | "product") =>
  (await request(store.sql, `create_${kind}_category`, { p_title: "News" })).id as number;

describe.each([
  { kind: "article", field: "p_cid", fields: {}, tooLate: "invalid_argument" },
  { kind: "product", field: "p_category_id", fields: { p_price: 1 }, tooLate: "product_category_not_found" },
] as const)("deleting a category while a new $kind is being put into it", ({ kind, field, fields, tooLate }) => {
  const create = (sql: Sql, category: number) =>
    request(sql, `create_${kind}`, { p_title: "First", [field]: category, ...fields });
  const remove = (sql: Sql, p_id: number) => request(sql, `delete_${kind}_category`, { p_id });

  /** One transaction does something, and another one waits for it to end. @returns what becomes of the other one */
  async function inTurn(
    first: (sql: Sql) => Promise<unknown>,
    second: (sql: Sql) => Promise<unknown>,
  ): Promise<string> {
    const connection = store.connection();
    let outcome!: Promise<string>;
    await connection.begin(async (sql) => {
      await first(sql);
      outcome = codeOf(second(store.sql));
      await store.untilWaiting(1);
    });
    await connection.end();
    return outcome;
  }

  it("waits for it and then fails", async () => {
    const id = await newCategory(kind);
    const outcome = await inTurn(
      (sql) => create(sql, id),
      (sql) => remove(sql, id),
    );
    expect(outcome).toBe(`${kind}_category_in_use`);
  });

  it("makes one that comes later fail", async () => {
    const id = await newCategory(kind);
    const outcome = await inTurn(
      (sql) => remove(sql, id),
      (sql) => create(sql, id),
    );
    expect(outcome).toBe(tooLate);
  });
});

describe("moving the sign-in flag while categories are changed and deleted", () => {
  it("never deadlocks, and leaves the flag on one category at most", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => newCategory("article")));
    const deadlocks = await store.deadlocks();
    const editor = (seed: number) => async (sql: Sql) => {
      for (let round = 0; round < 40; round++) {
        const p_id = ids[(round * (seed + 1) + seed) % ids.length]!;
        const change = (round + seed) % 4;
        if (change === 0) await codeOf(request(sql, "set_article_category", { p_id, p_title: `News ${round}` }));
        else if (change === 1 && seed === 0)
          await codeOf(request(sql, "delete_article_category", { p_id: await newCategory("article") }));
        else await request(sql, "set_article_category", { p_id, p_is_sign_in_ad: true });
      }
    };
    const results = await store.together(Array.from({ length: 8 }, (_, seed) => editor(seed)));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await store.deadlocks()).toBe(deadlocks);
    expect(await store.sql`select id from app.article_categories where is_sign_in_ad`).toHaveLength(1);
  });
});

describe("categories and the first page that several administrators change at the same time", () => {
  it("end as one of them has left them, without deadlocks", async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => newCategory("product")));
    const all = (await store.sql`select id from app.product_categories where not is_del order by id`).map(({ id }) =>
      Number(id),
    );
    const products = await Promise.all(
      ids.map(
        async (p_category_id) =>
          (await request(store.sql, "create_product", { p_title: "Tea", p_price: 1, p_category_id })).id as number,
      ),
    );
    const deadlocks = await store.deadlocks();
    const turned = <Item>(list: Item[], by: number) => [
      ...list.slice(by % list.length),
      ...list.slice(0, by % list.length),
    ];
    const editor = (seed: number) => async (sql: Sql) => {
      for (let round = 0; round < 10; round++) {
        const p_featured = turned(products, seed + round);
        const p_banners = p_featured.map((product_id) => ({
          image: "https://example.com/a.png",
          title: String(seed),
          product_id,
        }));
        await request(sql, "sort_product_categories", { p_ids: turned(all, seed + round) });
        await request(sql, "set_first_page", { p_banners, p_featured });
        await request(sql, "set_product", {
          p_id: products[seed % products.length],
          p_category_id: ids[round % ids.length],
        });
      }
    };
    const results = await store.together(Array.from({ length: 6 }, (_, seed) => editor(seed)));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await store.deadlocks()).toBe(deadlocks);
    const featured = (await store.sql`select product_id from app.featured_products order by rank`).map(
      ({ product_id }) => Number(product_id),
    );
    const banners = await store.sql`select title, product_id from app.banners order by rank`;
    expect(banners.map(({ product_id }) => Number(product_id))).toEqual(featured);
    expect(new Set(banners.map(({ title }) => title)).size).toBe(1);
    const sequence = (await store.sql`select id from app.product_categories where not is_del order by rank, id`).map(
      ({ id }) => Number(id),
    );
    expect(all.map((_, by) => turned(all, by))).toContainEqual(sequence);
  });
});
