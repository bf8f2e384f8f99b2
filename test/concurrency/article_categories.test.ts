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

const newCategory = async () => (await request(store.sql, "create_article_category", { p_title: "News" })).id as number;

describe("deleting a category while an article is being added to it", () => {
  it("waits for the article and then fails", async () => {
    const cid = await newCategory();
    const writer = store.connection();
    let deleted!: Promise<string>;
    await writer.begin(async (sql) => {
      await request(sql, "create_article", { p_cid: cid, p_title: "First" });
      deleted = codeOf(request(store.sql, "delete_article_category", { p_id: cid }));
      await store.untilWaiting(1);
    });
    await writer.end();
    expect(await deleted).toBe("article_category_in_use");
  });

  it("makes a later insert of an article fail", async () => {
    const cid = await newCategory();
    const deleter = store.connection();
    let written!: Promise<string>;
    await deleter.begin(async (sql) => {
      await request(sql, "delete_article_category", { p_id: cid });
      written = codeOf(request(store.sql, "create_article", { p_cid: cid, p_title: "Late" }));
      await store.untilWaiting(1);
    });
    await deleter.end();
    expect(await written).toBe("invalid_argument");
    expect(await store.sql`select id from app.articles where cid = ${cid}`).toHaveLength(0);
  });
});

describe("moving the sign-in flag while categories are changed and deleted", () => {
  it("never deadlocks, and leaves the flag on one category at most", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, newCategory));
    const deadlocks = await store.deadlocks();
    const editor = (seed: number) => async (sql: Sql) => {
      for (let round = 0; round < 40; round++) {
        const p_id = ids[(round * (seed + 1) + seed) % ids.length]!;
        const change = (round + seed) % 4;
        if (change === 0) await codeOf(request(sql, "set_article_category", { p_id, p_title: `News ${round}` }));
        else if (change === 1 && seed === 0) await codeOf(request(sql, "delete_article_category", { p_id: await newCategory() }));
        else await request(sql, "set_article_category", { p_id, p_is_sign_in_ad: true });
      }
    };
    const results = await store.together(Array.from({ length: 8 }, (_, seed) => editor(seed)));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await store.deadlocks()).toBe(deadlocks);
    expect(await store.sql`select id from app.article_categories where is_sign_in_ad`).toHaveLength(1);
  });
});
