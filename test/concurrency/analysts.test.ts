import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connect } from "../support/index.ts";
import { Store } from "./store.ts";

// What an analyst with a login tries, and what becomes of it. The job runs at a time when everything that is going on
// has lasted too long.

let store: Store;
let url: string;
const opened: postgres.Sql[] = [];

beforeAll(async () => {
  store = await Store.open();
  const password = randomUUID();
  await store.sql.unsafe(`alter role store_analyst password '${password}'`);
  const address = new URL(store.url);
  [address.username, address.password] = ["store_analyst", password];
  url = address.href;
});
afterAll(async () => {
  await Promise.all(opened.map((sql) => sql.end({ timeout: 0 })));
  await store.sql`alter role store_analyst password null`;
  await store.close();
});

/** A session of an analyst, who has lifted its limits. */
async function analyst(): Promise<postgres.Sql> {
  const sql = connect(url);
  opened.push(sql);
  await sql.unsafe(
    "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set default_transaction_read_only = off",
  );
  return sql;
}

const sessions = async () =>
  Number(
    (
      await store.sql`select count(*) as count from pg_stat_activity where usename = 'store_analyst' and datname = current_database()`
    )[0]!.count,
  );
const end = async (minutes: number) =>
  (await store.sql`select app.end_long_reports(clock_timestamp() + make_interval(mins => ${minutes})) as ended`)[0]!
    .ended as number;

describe("the job that ends long queries", { concurrent: false }, () => {
  // Guarantee privacy/analysts-end: Whatever an analyst does ends, also if it lifts the limits of its session
  // By: the sessions are terminated, app.end_long_reports
  it.each([
    ["a statement without a limit", "select pg_sleep(600)"],
    [
      "one that ignores that it is cancelled",
      "do $$ begin loop begin perform pg_sleep(600); exception when query_canceled then null; end; end loop; end $$",
    ],
  ])("ends %s", async (_name, statement) => {
    const sql = await analyst();
    const running = sql.unsafe(statement).then(
      () => "finished",
      (error: Error) => error.message,
    );
    await vi.waitFor(async () => {
      const [row] = await store.sql`
        select count(*) as count from pg_stat_activity
        where usename = 'store_analyst' and datname = current_database() and xact_start is not null and query !~ '^set '`;
      expect(Number(row!.count)).toBe(1);
    });
    // It has not lasted long.
    expect(await end(0)).toBe(0);
    expect(await end(6)).toBe(1);
    expect(await running).toMatch(/terminat|CONNECTION|closed/i);
    await vi.waitFor(async () => expect(await sessions()).toBe(0));
  });

  it("ends a transaction that does nothing", async () => {
    const sql = await analyst();
    await sql.unsafe("begin");
    await sql.unsafe("select count(*) from report.members");
    expect(await end(0)).toBe(0);
    expect(await end(6)).toBe(1);
    await vi.waitFor(async () => expect(await sessions()).toBe(0));
  });

  it("ends a session that keeps a lock for which jobs of the store wait", async () => {
    const sql = await analyst();
    const [lock] = await store.sql`select app.lock_number('day_sums') as number`;
    const keeping = sql.unsafe(`select pg_advisory_lock(${lock!.number}), pg_sleep(600)`).then(
      () => "finished",
      (error: Error) => error.message,
    );
    await vi.waitFor(async () => expect(await end(0)).toBe(1));
    expect(await keeping).toMatch(/terminat|CONNECTION|closed/i);
    await vi.waitFor(async () => {
      const [row] = await store.sql`select pg_try_advisory_xact_lock(${lock!.number as string}) as taken`;
      expect(row!.taken).toBe(true);
    });
  });

  it.each([
    "select count(*) from app.users",
    "set role store_api",
    "set role postgres",
    "set session authorization postgres",
    "alter role store_analyst connection limit 100",
    "create table public.t (id integer)",
    "copy (select 1) to program 'cat'",
    "select pg_read_file('postgresql.conf')",
    "select app.end_long_reports(now())",
  ])("has nothing to do with %s, which is refused", async (statement) => {
    const sql = await analyst();
    await expect(sql.unsafe(statement)).rejects.toThrow(/permission denied|must be|does not exist/);
    await sql.end();
  });

  it("removes large objects, which fill the disk", async () => {
    const sql = await analyst();
    await sql`select lo_from_bytea(0, decode('00', 'hex'))`;
    await end(0);
    expect([
      ...(await store.sql`select from pg_largeobject_metadata where lomowner = 'store_analyst'::regrole`),
    ]).toEqual([]);
    await sql.end();
  });

  it("leaves sessions of the store alone", async () => {
    const own = store.connection();
    await own.begin(async (transaction) => {
      await transaction`select 1`;
      expect(await end(600)).toBe(0);
    });
    await own.end();
  });
});

it("a session of an analyst begins with limits, and only reads", async () => {
  const sql = connect(url);
  opened.push(sql);
  const limits = await sql`
    select name, setting from pg_settings
    where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'default_transaction_read_only', 'search_path') order by name`;
  expect(limits.map(({ name, setting }) => [name, setting])).toEqual([
    ["default_transaction_read_only", "on"],
    ["idle_in_transaction_session_timeout", "60000"],
    ["search_path", "report"],
    ["statement_timeout", "60000"],
  ]);
  expect([...(await sql`select * from members`)]).toEqual([]);
  await sql.end();
});
