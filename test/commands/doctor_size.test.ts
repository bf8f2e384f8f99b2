import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeSize, readStoreSize, sizeFindings, type StoreSize } from "../../scripts/doctor/size_findings.ts";
import { Store } from "../concurrency/store.ts";

const DAY = 86_400_000;

describe("the doctor reads", () => {
  let store: Store;
  beforeAll(async () => {
    store = await Store.open();
  });
  afterAll(() => store.close());

  it("members, paid orders and releases, all and recent ones, and since when there are any", async () => {
    const { sql } = store;
    const empty = await readStoreSize(sql);
    expect(empty).toMatchObject({ members: 0, days: 1, orders: 0, releases: 0, lastReleases: 0, isCompacting: false });

    const [una, ann] = [await store.signUp(), await store.signUp()];
    const before = new Date(Date.now() - 60 * DAY);
    const early = await store.order(ann, 1, before);
    await sql`select from app.pay_order(${early}, 'test', 'early', ${before})`;
    await store.buy(ann);
    await store.order(ann);
    await sql`select app.create_adjustment(${una}, 0, 1000, 0, 'Test', null, now())`;
    await sql`call app.release_frozen_points(null, now() + interval '1 day')`;
    expect(await readStoreSize(sql)).toMatchObject({
      members: 2,
      days: expect.closeTo(60, 1),
      orders: 2,
      recentOrders: 1,
      releases: 1,
      compactedReleases: 0,
      lastReleases: 1,
      nightSessions: 1,
    });
  });

  it("the size of the database, and the connections with their limits", async () => {
    const { sql } = store;
    const { database, connections } = await readStoreSize(sql);
    const [row] = await sql<{ bytes: number; limit: number }[]>`
      select pg_database_size(current_database())::float8 as bytes, current_setting('max_connections')::int as limit`;
    expect(database).toBeGreaterThan(0.9 * row!.bytes);
    expect(connections).toMatchObject({ limit: row!.limit, limitOfFunctions: 50 });
    expect(connections.inUse).toBeGreaterThanOrEqual(1);
    expect(connections.inUse).toBeLessThanOrEqual(row!.limit);
  });

  it("whether months are compacted, by the job or by hand of late", async () => {
    const { sql } = store;
    const isCompacting = async () => (await readStoreSize(sql)).isCompacting;
    await sql`
      insert into app.compacted_months (month, state, bill_rows, bill_digest, log_rows, log_digest, releases, runs, kept, compacted_at)
      values ('2025-01-01', 'compacted', 9, 0, 8, 0, 7, 1, 1, now() - interval '3 months')`;
    expect(await isCompacting()).toBe(false);
    expect((await readStoreSize(sql)).compactedReleases).toBe(7);
    await sql`update app.compacted_months set compacted_at = now()`;
    expect(await isCompacting()).toBe(true);
    await sql`delete from app.compacted_months`;
    await sql`update app.scheduled_jobs set is_active = true where name = 'compact_due_months'`;
    expect(await isCompacting()).toBe(true);
  });
});

it("the doctor says nothing of the size of a store of 0.9.0, which had no compacted months", async () => {
  const store = await Store.open();
  try {
    await store.sql`alter table app.compacted_months rename to other_months`;
    expect(await sizeFindings(store.sql)).toMatchObject([{ check: "size", severity: "skipped" }]);
  } finally {
    await store.close();
  }
});

describe("the doctor", () => {
  const usual: StoreSize = {
    members: 20_000,
    days: 365,
    orders: 73_000,
    recentOrders: 6_000,
    releases: 7_300_000,
    compactedReleases: 0,
    lastReleases: 20_000,
    isCompacting: false,
    nightSessions: 1,
    database: 3.2e9,
    connections: { inUse: 20, limit: 100, ofFunctions: 6, limitOfFunctions: 50 },
  };
  const said = (changes: Partial<StoreSize>) =>
    judgeSize({ ...usual, ...changes }).map(
      ({ severity, message, hint }) => `${severity} ${message}${hint ? ` → ${hint}` : ""}`,
    );
  const connections = (changes: Partial<StoreSize["connections"]>) => ({
    connections: { ...usual.connections, ...changes },
  });

  it("says size, expected size, growth and compute size of a store as large as expected", () => {
    expect(said({})).toEqual([
      "ok 20,000 members, 3.2 GB (expected 3.1 GB), 3 GB more in a year: fits compute size Micro",
      "ok 20 of 100 connections are in use, 6 of 50 by the functions",
    ]);
  });

  it("has figures of a store without members, orders and releases", () => {
    const nothing = { members: 0, days: 1, orders: 0, recentOrders: 0, releases: 0, lastReleases: 0 };
    expect(said({ ...nothing, database: 0.026e9 })[0]).toMatch(
      /^ok 0 members, 0.026 GB \(expected 0.\d+ GB\), 0 GB more in a year: fits compute size Micro$/,
    );
  });

  it("names the compute size that a store needs in a year, if it is another one", () => {
    expect(said({ database: 8e9 })[0]).toMatch(/fits compute size Micro, then Small/);
  });

  it("warns of a database that is more than twice as large as expected, unless it is small", () => {
    expect(said({ database: 6e9 })[0]).toMatch(/^ok /);
    expect(said({ database: 6.5e9 })[0]).toMatch(
      /^warning 20,000 members, 6.5 GB .* more than 2 times the expected size → In the SQL editor: select .*docs\/size_and_cost.md$/,
    );
    const young = { members: 10, days: 1, orders: 0, recentOrders: 0, releases: 0, lastReleases: 0 };
    expect(said({ ...young, database: 0.9e9 })[0]).toMatch(/^ok /);
  });

  it("expects a smaller database if most releases are compacted", () => {
    const compacted = { compactedReleases: 7_000_000, isCompacting: true };
    expect(said({ ...compacted, database: 3.2e9 })[0]).toMatch(/^warning /);
    expect(said({ ...compacted, database: 0.7e9 })[0]).toMatch(/^ok .* 0.41 GB more in a year/);
  });

  it("warns of a compute size that is too small, and of none on a server with another number of connections", () => {
    const large = { database: 20e9, members: 130_000, orders: 500_000, releases: 48_000_000, lastReleases: 130_000 };
    expect(said({ ...large, ...connections({ limit: 60 }) })[1]).toMatch(
      /^warning the server accepts 60 connections, as compute size Micro does, but the store needs Small → Dashboard, Compute and Disk: choose Small/,
    );
    for (const limit of [90, 100])
      expect(said({ ...large, ...connections({ limit }) })[1], String(limit)).toMatch(/^ok /);
  });

  it("warns if nearly all connections are in use, of the server or of the functions", () => {
    const warned = /^warning .* connections are in use, .* by the functions → Find who holds them: select /;
    expect(said(connections({ inUse: 79, ofFunctions: 39 }))[1]).toMatch(/^ok /);
    expect(said(connections({ inUse: 80 }))[1]).toMatch(warned);
    expect(said(connections({ ofFunctions: 40 }))[1]).toMatch(warned);
  });

  it("warns if nothing is compacted and so many members get releases that the document recommends it", () => {
    const busy = { members: 300_000, lastReleases: 200_000, database: 1e9 };
    const compaction = (changes: Partial<StoreSize>) =>
      said({ ...busy, ...changes }).filter((text) => text.includes("Seal the months"));
    expect(compaction({})).toEqual([expect.stringMatching(/^warning 200,000 members get a release each night, /)]);
    expect(compaction({ isCompacting: true })).toEqual([]);
    expect(compaction({ lastReleases: 199_999 })).toEqual([]);
  });
});
