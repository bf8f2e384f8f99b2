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

async function newCategory(title: string): Promise<number> {
  const [row] = await store.sql`insert into app.article_categories (title) values (${title}) returning id`;
  return Number(row?.id);
}

async function newArticles(cid: number, count: number): Promise<number[]> {
  const rows =
    await store.sql`insert into app.articles (cid, title) select ${cid}, 'Article ' || g from generate_series(1, ${count}) as g returning id`;
  return rows.map((row) => Number(row.id));
}

const pool = async () => [...(await store.sql`select cid, slot from app.article_pool order by cid, slot`)];
const findings = async () => [...(await store.sql`select * from app.reconcile_article_pool()`)];

describe("concurrent edits of articles", () => {
  it("leave exactly the readable articles of every category numbered without gaps", async () => {
    const [first, second] = [await newCategory("First"), await newCategory("Second")];
    const articles = [...(await newArticles(first, 60)), ...(await newArticles(second, 20))];
    const deadlocks = await store.deadlocks();
    // Every editor changes every article in a different order, so that all edits conflict.
    const editor = (seed: number) => async (sql: Sql) => {
      for (let index = 0; index < articles.length; index++) {
        const id = articles[(index * (seed * 2 + 1) + seed) % articles.length]!;
        const change = (index + seed) % 7;
        if (change === 0) await sql`update app.articles set hidden = 1 - hidden where id = ${id}`;
        else if (change === 1) await sql`update app.articles set status = 1 - status where id = ${id}`;
        else if (change === 2)
          await sql`update app.articles set cid = case cid when ${first} then ${second}::bigint else ${first} end where id = ${id}`;
        else if (change === 3) await sql`insert into app.articles (cid, title) values (${first}, 'New')`;
        else if (change === 4) await sql`delete from app.articles where id = ${id}`;
        else if (change === 5)
          await sql`update app.articles set hidden = 1 - hidden where id between ${id} and ${id + 10}`;
        else await sql`update app.articles set content = 'edited' where id = ${id}`;
      }
    };
    expect(rejections(await store.together(Array.from({ length: 8 }, (_, seed) => editor(seed))))).toEqual([]);
    expect(await store.deadlocks()).toBe(deadlocks);
    expect((await pool()).length).toBeGreaterThan(20);
    expect(await findings()).toEqual([]);
  });

  it("never make a draw find no article", async () => {
    const cid = await newCategory("Drawn from");
    await store.sql`update app.article_categories set is_sign_in_ad = true where id = ${cid}`;
    const articles = await newArticles(cid, 5);
    const edit = async (sql: Sql) => {
      for (let round = 0; round < 100; round++) {
        const id = articles[1 + (round % 4)]!;
        await sql`update app.articles set hidden = 1 where id = ${id}`;
        await sql`update app.articles set hidden = 0 where id = ${id}`;
      }
    };
    const missed: number[] = [];
    const draw = async (sql: Sql) => {
      for (let round = 0; round < 300; round++) {
        const [row] = await sql`select api.get_required_article() is null as missed`;
        if (row?.missed) missed.push(round);
      }
    };
    expect(rejections(await store.together([edit, draw, draw]))).toEqual([]);
    expect(missed).toEqual([]);
  });

  it("take time proportional to the number of articles when many are loaded and hidden", async () => {
    // Statistics from before the load, as autovacuum may leave them: the planner then expects one row in the new
    // category.
    await newArticles(await newCategory("Loaded before"), 2000);
    await store.sql`analyze app.articles, app.article_pool`;
    const cid = await newCategory("Bulk");
    const loader = store.connection();
    // It takes two seconds. With quadratic cost it would take many minutes.
    await loader`set statement_timeout = '150s'`;
    await loader`insert into app.articles (cid, title) select ${cid}, 'Article ' || g from generate_series(1, 100000) as g`;
    await loader`update app.articles set hidden = 1 where cid = ${cid} and id % 2 = 0`;
    await loader.end();
    const [row] = await store.sql`select max(slot)::int as slots from app.article_pool where cid = ${cid}`;
    expect(row?.slots).toBe(50000);
    expect(await findings()).toEqual([]);
  });

  it("fail with an outdated snapshot instead of leaving a gap", async () => {
    const cid = await newCategory("Snapshots");
    const [one, two] = await newArticles(cid, 3);
    const stale = store.connection();
    await stale`begin isolation level repeatable read`;
    await stale`select count(*) from app.article_pool`;
    await store.sql`update app.articles set hidden = 1 where id = ${one!}`;
    await expect(stale`update app.articles set hidden = 1 where id = ${two!}`).rejects.toMatchObject({ code: "40001" });
    await stale.end();
    expect(await findings()).toEqual([]);
  });
});
