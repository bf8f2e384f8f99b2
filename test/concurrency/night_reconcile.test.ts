import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Store } from "./store.ts";

type Sql = Store["sql"];

const GATE = 78;
/** Of a range in the gated check, the check after the one before it. */
const GATED = 26;

let store: Store;
let members: number[];
let gate: postgres.Sql;
/** What app.reconcile() finds in the damaged store. */
let wanted: object[];

beforeAll(async () => {
  store = await Store.open();
  members = [];
  for (let made = 0; made < 12; made += 1) {
    const uid = await store.reporter();
    await store.settle(await store.buy(await store.signUp(uid)));
    members.push(uid);
  }
  // A session stops in the check of one of these members until the gate opens.
  await store.sql.unsafe(`
    create table public.gated (uid bigint primary key);
    alter function app.reconcile_times(bigint, bigint) rename to reconcile_times_of;
    create function app.reconcile_times(p_from bigint default 0, p_to bigint default 9223372036854775807)
    returns table (check_name text, subject text, expected text, actual text) language plpgsql as $$
    begin
      if exists (select from public.gated as g where g.uid between p_from and p_to) then perform pg_advisory_xact_lock(${GATE}); end if;
      return query select * from app.reconcile_times_of(p_from, p_to);
    end $$`);
  // In the first range, in the last one, and in an order.
  await store.sql`update app.user_balances set available_points = available_points + 1 where uid = any (${[members[0]!, members.at(-1)!]})`;
  await store.sql`update app.user_balances set own_orders = own_orders + 1 where uid = ${members[5]!}`;
  wanted = [...(await store.sql`select * from app.reconcile()`)];
  gate = store.connection();
});
afterAll(async () => {
  await gate.end();
  await store.close();
});

beforeEach(async () => {
  await store.sql`delete from public.gated`;
  await store.sql`delete from app.reconcile_ranges`;
  await store.sql`delete from app.reconcile_runs`;
  await gate`select pg_advisory_unlock_all()`;
  await gate`select pg_advisory_lock(${GATE})`;
  await store.sql`update app.settings set night_sessions = 2`;
});

const closeGateAt = (...uids: number[]) => store.sql`insert into public.gated select unnest(${uids}::bigint[])`;
const openGate = () => gate`select pg_advisory_unlock(${GATE})`;
const session = (sql: Sql) =>
  sql`call app.record_reconcile()`.then(
    () => "done",
    () => "killed",
  );
const stopped = async () =>
  (
    await store.sql<{ pid: number }[]>`
      select l.pid from pg_locks as l
      where l.locktype = 'advisory' and l.objid = ${GATE} and not l.granted and l.database = (select oid from pg_database where datname = current_database())`
  ).map(({ pid }) => pid);
const untilStopped = (count: number) => vi.waitFor(async () => expect(await stopped()).toHaveLength(count));
const openRanges = async () =>
  (
    await store.sql`select keys, first_key, check_no, next_key from app.reconcile_ranges where check_no is not null order by keys, last_key`
  ).map((range) => ({ ...range }));

/** One reconciliation, which has ended with what app.reconcile() finds. */
async function expectAllFound(): Promise<void> {
  const runs = await store.sql`select findings, sample, finished_at is not null as finished from app.reconcile_runs`;
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatchObject({ findings: wanted.length, finished: true });
  expect(wanted.length).toBeGreaterThan(2);
  expect(runs[0]!.sample).toHaveLength(wanted.length);
  expect(runs[0]!.sample).toEqual(expect.arrayContaining(wanted));
  expect(await store.sql`select from app.reconcile_ranges`).toHaveLength(0);
}

describe("a reconciliation in two sessions", () => {
  // Guarantee money/reconcile-sessions: Several sessions find what one reconciliation finds, each range once. The range
  // of a killed session is continued where it was
  // By: position and findings are written with each slice, app.reconcile_range
  it("has the findings of one session, each range by one of them", async () => {
    await closeGateAt(members[0]!, members.at(-1)!);
    const sessions = [store.connection(), store.connection()];
    const ends = sessions.map(session);
    await untilStopped(2);
    expect(await store.sql`select from app.reconcile_ranges where check_no = ${GATED} group by run`).toHaveLength(2);
    await openGate();
    expect(await Promise.all(ends)).toEqual(["done", "done"]);
    await Promise.all(sessions.map((sql) => sql.end()));
    await expectAllFound();
  });

  // Guarantee money/reconcile-sessions
  it("goes on if one is killed in the middle of its range: the other continues it where it was", async () => {
    await closeGateAt(members[0]!);
    const sessions = [store.connection(), store.connection()];
    const ends = sessions.map(session);
    await untilStopped(1);
    await vi.waitFor(async () => expect(await openRanges()).toHaveLength(1));
    const left = await openRanges();
    expect(left).toEqual([{ keys: "members", first_key: "0", check_no: GATED, next_key: "0" }]);
    const [victim] = await stopped();
    await store.sql`select pg_terminate_backend(${victim!})`;
    await vi.waitFor(async () => expect(await stopped()).not.toContain(victim));
    await untilStopped(1);
    expect(await openRanges()).toEqual(left);
    await openGate();
    expect((await Promise.all(ends)).sort()).toEqual(["done", "killed"]);
    await Promise.all(sessions.map((sql) => sql.end({ timeout: 1 })));
    await expectAllFound();
  });

  // Guarantee money/reconcile-sessions
  it("of which both are killed is continued by the next call, each range where it was", async () => {
    await closeGateAt(members[0]!, members.at(-1)!);
    const sessions = [store.connection(), store.connection()];
    const ends = sessions.map(session);
    await untilStopped(2);
    for (const pid of await stopped()) await store.sql`select pg_terminate_backend(${pid})`;
    expect(await Promise.all(ends)).toEqual(["killed", "killed"]);
    await Promise.all(sessions.map((sql) => sql.end({ timeout: 1 })));
    expect((await openRanges()).filter(({ check_no }) => check_no === GATED)).toHaveLength(2);
    await openGate();
    await store.sql`select app.mark_cut_runs()`;
    expect(await store.sql`select job from app.unfinished_runs()`).toEqual([{ job: "reconcile_bill" }]);
    expect(await session(store.sql)).toBe("done");
    expect(await store.sql`select job from app.unfinished_runs()`).toEqual([]);
    expect(await store.sql`select cuts from app.reconcile_runs`).toEqual([{ cuts: 2 }]);
    await expectAllFound();
  });

  it("is one, also if a session begins after the other has ended", async () => {
    await session(store.sql);
    await session(store.sql);
    await expectAllFound();
  });

  it("finds the same in one session, which has no ranges", async () => {
    await store.sql`update app.settings set night_sessions = 1`;
    await session(store.sql);
    await expectAllFound();
  });
});
