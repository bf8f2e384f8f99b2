import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Store } from "./store.ts";

type Sql = Store["sql"];

/** Two members are a chunk, and the ranges of two sessions have four members each. */
const CHUNK = 2;
const GATE = 77;
const began = Date.now();
/** A day after today, so that everybody has earned before it. */
const inDays = (days: number) => new Date(began + days * 86_400_000).toISOString().slice(0, 10);
const noonOf = (day: string) => `${day}T04:00:00Z`;

let store: Store;
let members: number[];
let gate: postgres.Sql;

/** A member with 720 frozen points. */
async function earner(): Promise<number> {
  const uid = await store.reporter();
  await store.settle(await store.buy(await store.signUp(uid)));
  return uid;
}

beforeAll(async () => {
  store = await Store.open();
  members = [];
  for (let made = 0; made < 8; made += 1) members.push(await earner());
  // A session that releases one of these members stops in the middle of a chunk until the gate opens.
  await store.sql.unsafe(`
    create table public.gated (uid bigint primary key);
    create table public.failing (uid bigint primary key);
    create function public.stop() returns trigger language plpgsql as $$
    begin
      if exists (select from public.gated as g where g.uid = new.uid) then perform pg_advisory_xact_lock(${GATE}); end if;
      if exists (select from public.failing as f where f.uid = new.uid) then raise exception 'poisoned'; end if;
      return new;
    end $$;
    create trigger stop before insert on app.points_release_log for each row execute function public.stop()`);
  gate = store.connection();
});
afterAll(async () => {
  await gate.end();
  await store.close();
});

beforeEach(async () => {
  await store.sql`delete from public.gated`;
  await store.sql`delete from public.failing`;
  await gate`select pg_advisory_unlock_all()`;
  await gate`select pg_advisory_lock(${GATE})`;
  await sessionsOfANight(2);
});

const sessionsOfANight = (count: number) => store.sql`update app.settings set night_sessions = ${count}`;
const closeGateAt = (...uids: number[]) => store.sql`insert into public.gated select unnest(${uids}::bigint[])`;
const openGate = () => gate`select pg_advisory_unlock(${GATE})`;

/** The member at a place of the eight, from 0. */
const member = (place: number) => members[place]!;

const session = (sql: Sql, day: string | null) =>
  sql`call app.release_frozen_points(null, ${day === null ? null : noonOf(day)}, ${CHUNK})`.then(
    () => "done",
    () => "killed",
  );

/** The server processes that wait at the gate. */
const stopped = async () =>
  (
    await store.sql<{ pid: number }[]>`
      select l.pid from pg_locks as l
      where l.locktype = 'advisory' and l.objid = ${GATE} and not l.granted and l.database = (select oid from pg_database where datname = current_database())`
  ).map(({ pid }) => pid);
const untilStopped = (count: number) => vi.waitFor(async () => expect(await stopped()).toHaveLength(count));
const kill = (pid: number) => store.sql`select pg_terminate_backend(${pid})`;

/**
 * The ranges of a day in their order: how many members each has released, its failures, and the member up to whom it is
 * done.
 */
const ranges = async (day: string) =>
  (
    await store.sql<{ users: number; failures: number; upTo: string }[]>`
      select users, failures, case when after_uid = last_uid then 'its end' else coalesce(nullif(after_uid, 0)::text, 'nobody') end as "upTo"
      from app.release_ranges where release_date = ${day} order by last_uid`
  ).map((range) => ({ ...range }));
const finished = { users: 4, failures: 0, upTo: "its end" };
const run = async (day: string) => ({
  ...(
    await store.sql`select users, points, failures, finished_at is not null as finished from app.release_runs where release_date = ${day}`
  )[0],
});
/** How many batches the runs of a day have committed, in the order in which they began. */
const batches = async (day: string) =>
  (await store.sql`select batches from app.job_runs where part = ${day} order by id`).map((row) => Number(row.batches));
const releasedOn = async (day: string) =>
  (await store.sql`select uid from app.points_release_log where release_date = ${day} order by uid`).map((row) =>
    Number(row.uid),
  );

/** Everybody has one release, and the sums of the day are those of the log. */
async function expectAllReleasedOnce(day: string): Promise<void> {
  expect(await releasedOn(day)).toEqual(members);
  const [sums] =
    await store.sql`select count(*)::int as users, sum(release_points) as points from app.points_release_log where release_date = ${day}`;
  expect(await run(day)).toEqual({ ...sums, failures: 0, finished: true });
  expect(await store.findings()).toEqual([]);
}

describe("a night of two sessions", () => {
  it("releases each range by one of them, and everybody once", async () => {
    const day = inDays(1);
    await closeGateAt(member(0), member(4));
    const sessions = [store.connection(), store.connection()];
    const ends = sessions.map((sql) => session(sql, day));
    await untilStopped(2);
    await openGate();
    expect(await Promise.all(ends)).toEqual(["done", "done"]);
    await Promise.all(sessions.map((sql) => sql.end()));
    expect(await ranges(day)).toEqual([finished, finished]);
    expect(await batches(day)).toEqual([2, 2]);
    expect(
      await store.sql`select from app.release_ranges where release_date = ${day} group by run having count(*) = 1`,
    ).toHaveLength(2);
    await expectAllReleasedOnce(day);
  });

  // Guarantee money/release-sessions: A night of several sessions releases each member once. Another session, or the
  // next call, continues the range of a killed one
  // By: position and sums are written with each batch, app.take_range and app.advance_range
  it("goes on if one is killed in the middle of its range: the other continues it where it was", async () => {
    const day = inDays(2);
    await closeGateAt(member(6));
    const sessions = [store.connection(), store.connection()];
    const ends = sessions.map((sql) => session(sql, day));
    await untilStopped(1);
    await vi.waitFor(async () => expect((await ranges(day))[0]).toEqual(finished));
    const [victim] = await stopped();
    expect((await ranges(day))[1]).toEqual({ users: 2, failures: 0, upTo: String(member(5)) });
    expect(await run(day)).toMatchObject({ users: 0, finished: false });
    expect(await store.findings(), "the sums of an unfinished day are those of its ranges").not.toContainEqual(
      expect.objectContaining({ check_name: "release_run_equals_log" }),
    );

    await kill(victim!);
    await vi.waitFor(async () => expect(await stopped()).not.toContain(victim));
    await untilStopped(1);
    expect((await ranges(day))[1]).toEqual({ users: 2, failures: 0, upTo: String(member(5)) });
    await openGate();
    expect((await Promise.all(ends)).sort()).toEqual(["done", "killed"]);
    await Promise.all(sessions.map((sql) => sql.end({ timeout: 1 })));
    expect(await ranges(day)).toEqual([finished, finished]);
    expect((await batches(day)).sort()).toEqual([1, 3]);
    await expectAllReleasedOnce(day);
  });

  // Guarantee money/release-sessions
  it("of which both are killed is continued by the next call, each range where it was", async () => {
    const day = inDays(3);
    await closeGateAt(member(2), member(6));
    const sessions = [store.connection(), store.connection()];
    const ends = sessions.map((sql) => session(sql, day));
    await untilStopped(2);
    for (const pid of await stopped()) await kill(pid);
    expect(await Promise.all(ends)).toEqual(["killed", "killed"]);
    await Promise.all(sessions.map((sql) => sql.end({ timeout: 1 })));
    expect(await ranges(day)).toEqual(
      [member(1), member(5)].map((uid) => ({ users: 2, failures: 0, upTo: String(uid) })),
    );
    expect(await run(day)).toMatchObject({ finished: false });
    await openGate();

    await store.sql`select app.mark_cut_runs()`;
    expect(await store.sql`select job from app.unfinished_runs()`).toEqual([{ job: "fsgx_release_frozen_points" }]);
    expect(await session(store.sql, day)).toBe("done");
    expect(await batches(day), "two chunks are left").toEqual([1, 1, 2]);
    expect(await store.sql`select job from app.unfinished_runs()`).toEqual([]);
    expect(await store.sql`select cuts from app.release_runs where release_date = ${day}`).toEqual([{ cuts: 2 }]);
    await expectAllReleasedOnce(day);
  });

  it("stays unfinished if a member fails. Each session tries the range once, and the next night completes it first", async () => {
    const [day, next] = [inDays(4), inDays(5)];
    await store.sql`insert into public.failing values (${member(5)})`;
    const results = await store.together([1, 2].map(() => (sql: Sql) => session(sql, day)));
    expect(results.map((result) => result.status === "fulfilled" && result.value)).toEqual(["done", "done"]);
    const [first, second] = await ranges(day);
    expect(first).toEqual(finished);
    expect(second).toEqual({ users: 3, failures: 1, upTo: String(member(3)) });
    expect(await run(day)).toMatchObject({ users: 7, failures: 1, finished: false });

    await store.sql`delete from public.failing`;
    await store.together([1, 2].map(() => (sql: Sql) => session(sql, next)));
    for (const each of [day, next]) await expectAllReleasedOnce(each);
    expect(await ranges(day)).toEqual([finished, finished]);
  });

  it("gives no member a later day before an earlier one", async () => {
    const last = inDays(9);
    await store.together([1, 2, 3].map(() => (sql: Sql) => session(sql, last)));
    for (const day of [6, 7, 8, 9].map(inDays)) await expectAllReleasedOnce(day);
    const disordered = await store.sql`
      select from (select release_date, lag(release_date) over (partition by uid order by id) as before from app.points_release_log) as l where before > release_date`;
    expect(disordered).toHaveLength(0);
  });

  it("keeps its ranges if the number of sessions is changed; the next one has the new number", async () => {
    const [day, next] = [inDays(10), inDays(11)];
    await closeGateAt(member(7));
    const sql = store.connection();
    const end = session(sql, day);
    await untilStopped(1);
    await sessionsOfANight(4);
    await openGate();
    expect(await end).toBe("done");
    await sql.end();
    expect(await ranges(day)).toHaveLength(2);
    await session(store.sql, next);
    expect(await ranges(next)).toEqual(Array.from({ length: 4 }, () => ({ ...finished, users: 2 })));
    for (const each of [day, next]) await expectAllReleasedOnce(each);
  });

  it("divides a store without points, and one with fewer members than sessions", async () => {
    const empty = await Store.open();
    try {
      await empty.sql`update app.settings set night_sessions = 8`;
      await empty.sql`call app.release_frozen_points(null, ${noonOf(inDays(1))})`;
      const [day] = await empty.sql`select users, finished_at is not null as finished from app.release_runs`;
      expect(day).toEqual({ users: 0, finished: true });
    } finally {
      await empty.close();
    }
    await sessionsOfANight(8);
    const fewer = inDays(12);
    await session(store.sql, fewer);
    expect(await ranges(fewer)).toHaveLength(8);
    await expectAllReleasedOnce(fewer);
  });
});

describe("a night of one session", () => {
  /** Divides a day as one with more members than a range may have. */
  const divide = async (day: string, most: number) => {
    await sessionsOfANight(1);
    await store.sql`select app.begin_release(${day}, false, ${noonOf(day)})`;
    await store.sql`select app.divide_release(${day}, 1, ${most})`;
  };

  it("that is killed between two ranges of many members is continued where it was", async () => {
    const day = inDays(13);
    await divide(day, 3);
    await closeGateAt(member(4));
    const victim = store.connection();
    const end = session(victim, day);
    await untilStopped(1);
    const [first, second] = await ranges(day);
    expect([first, second]).toEqual([
      { users: 3, failures: 0, upTo: "its end" },
      { users: 0, failures: 0, upTo: String(member(2)) },
    ]);
    await kill((await stopped())[0]!);
    expect(await end).toBe("killed");
    await victim.end({ timeout: 1 });
    await openGate();
    expect(await session(store.sql, day)).toBe("done");
    expect(await ranges(day)).toEqual([3, 3, 2].map((users) => ({ ...finished, users })));
    expect(await batches(day)).toEqual([2, 3]);
    await expectAllReleasedOnce(day);
  });

  it("writes the row of its run for the first batch of a range and then for a hundred at a time", async () => {
    const day = inDays(14);
    await divide(day, 4);
    await store.sql.unsafe(`
      create table public.written (batches integer);
      create function public.write() returns trigger language plpgsql as $$ begin insert into public.written values (new.batches); return null; end $$;
      create trigger write after update of batches on app.job_runs for each row execute function public.write()`);
    await store.sql`call app.release_frozen_points(null, ${noonOf(day)}, 1)`;
    const written = await store.sql`select batches from public.written order by batches`;
    expect(written.map((row) => row.batches)).toEqual([1, 4, 5, 8]);
    await expectAllReleasedOnce(day);
  });
});
