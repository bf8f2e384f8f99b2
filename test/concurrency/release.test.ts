import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { zoneWithMidnightIn } from "../support/midnight.ts";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

type Sql = Store["sql"];
const rejections = (results: PromiseSettledResult<unknown>[]) => results.filter((result) => result.status === "rejected").map((result) => (result).reason);

/** A member with 720 frozen points. */
async function earner(): Promise<number> {
  const uid = await store.reporter();
  await store.settle(await store.buy(await store.signUp(uid)));
  return uid;
}

/** Runs the daily release at noon of a future day in Shanghai, or some minutes later. */
const dailyRelease = (sql: Sql, day: string, minute = 0) => sql`call app.release_frozen_points(null, ${`${day}T04:${String(minute).padStart(2, "0")}:00Z`}, 2)`;
const run = async (day: string) => (await store.sql`select finished_at is not null as finished, failures, last_error from app.release_runs where release_date = ${day}`)[0];
const released = async (day: string) => (await store.sql`select uid from app.points_release_log where release_date = ${day}`).map((row) => Number(row.uid));

/** Makes the release of a member fail, in every session or only in sessions with a setting. */
async function failFor(uid: number, condition = "true"): Promise<{ stop(): Promise<unknown> }> {
  await store.sql.unsafe(`
    create function public.poison() returns trigger language plpgsql as $$ begin raise exception 'poisoned'; end $$;
    create trigger poison before insert on app.points_release_log for each row when (new.uid = ${uid} and ${condition}) execute function public.poison()`);
  return { stop: () => store.sql.unsafe("drop trigger poison on app.points_release_log; drop function public.poison()") };
}

async function hold(uid: number): Promise<{ letGo(): Promise<void> }> {
  const holder = store.connection();
  await holder`begin`;
  await holder`select from app.user_balances where uid = ${uid} for update`;
  return {
    letGo: async () => {
      await holder`rollback`;
      await holder.end();
    },
  };
}

describe("a day on which a member failed", () => {
  it("stays unfinished despite concurrent runs, delays no later day, and is completed first by the next run", async () => {
    const [failing, held] = [await earner(), await earner()];
    const poison = await failFor(failing);
    const holder = await hold(held);
    const runs = [store.connection(), store.connection()];
    const first = dailyRelease(runs[0]!, "2027-01-05").then(() => "done");
    await store.untilWaiting(1);
    const second = dailyRelease(runs[1]!, "2027-01-05").then(() => "done");
    await store.untilWaiting(2);
    await holder.letGo();
    expect(await Promise.all([first, second])).toEqual(["done", "done"]);
    await Promise.all(runs.map((sql) => sql.end()));
    const unfinished = { finished: false, failures: 1, last_error: `uid ${failing}: P0001: poisoned` };
    expect(await run("2027-01-05")).toEqual(unfinished);

    await dailyRelease(store.sql, "2027-01-06");
    expect([await run("2027-01-05"), await run("2027-01-06")]).toEqual([unfinished, unfinished]);
    expect(await released("2027-01-06")).toContain(held);

    await poison.stop();
    await dailyRelease(store.sql, "2027-01-07");
    for (const day of ["2027-01-05", "2027-01-06", "2027-01-07"]) expect(await run(day)).toEqual({ finished: true, failures: 0, last_error: null });
    const days = await store.sql`select release_date::text from app.points_release_log where uid = ${failing} order by id`;
    expect(days.map((row) => row.release_date)).toEqual(["2027-01-05", "2027-01-06", "2027-01-07"]);
    expect(await store.findings()).toEqual([]);
  });

  it("is finished by a concurrent run that released everyone", async () => {
    const [failing, held] = [await earner(), await earner()];
    const poison = await failFor(failing, "current_setting('test.fails', true) = 'yes'");
    const holder = await hold(held);
    const runs = [store.connection(), store.connection()];
    await runs[0]!`set test.fails = 'yes'`;
    const first = dailyRelease(runs[0]!, "2027-01-08").then(() => "done");
    await store.untilWaiting(1);
    expect(await run("2027-01-08")).toMatchObject({ finished: false, failures: 1 });
    const second = dailyRelease(runs[1]!, "2027-01-08").then(() => "done");
    await store.untilWaiting(2);
    await holder.letGo();
    expect(await Promise.all([first, second])).toEqual(["done", "done"]);
    await Promise.all(runs.map((sql) => sql.end()));
    await poison.stop();
    expect(await run("2027-01-08")).toEqual({ finished: true, failures: 0, last_error: null });
    expect(await released("2027-01-08")).toContain(failing);
  });

  it("stays unfinished if a row was locked for too long", { timeout: 60_000 }, async () => {
    const [held, free] = [await earner(), await earner()];
    const holder = await hold(held);
    await dailyRelease(store.sql, "2027-01-09");
    expect(await run("2027-01-09")).toEqual({ finished: false, failures: 1, last_error: `uid ${held}: another transaction holds the row` });
    expect(await released("2027-01-09")).toContain(free);
    await holder.letGo();
    await dailyRelease(store.sql, "2027-01-09", 1);
    expect(await run("2027-01-09")).toEqual({ finished: true, failures: 0, last_error: null });
  });
});

describe("days that were missed", () => {
  it("begin with the first run without a day; a run with a day releases only that day", async () => {
    const other = await Store.open();
    try {
      const days = async () => (await other.sql`select release_date::text as day from app.release_runs order by 1`).map((row) => row.day);
      await other.sql`call app.release_frozen_points('2027-01-05', '2027-01-24T04:00:00Z')`;
      expect(await days()).toEqual(["2027-01-05"]);
      await other.sql`call app.release_frozen_points(null, '2027-01-24T04:00:00Z')`;
      expect(await days()).toEqual(["2027-01-05", "2027-01-24"]);
      await other.sql`call app.release_frozen_points('2027-01-27', '2027-01-27T04:00:00Z')`;
      await other.sql`call app.release_frozen_points(null, '2027-01-27T05:00:00Z')`;
      expect(await days()).toEqual(["2027-01-05", "2027-01-24", "2027-01-25", "2027-01-26", "2027-01-27"]);
    } finally {
      await other.close();
    }
  });

  it("begin with it even if the first day was released by name before, or its run was interrupted", async () => {
    const other = await Store.open();
    try {
      await other.sql`call app.release_frozen_points('2027-01-05', '2027-01-05T04:00:00Z')`;
      await other.sql`call app.release_frozen_points(null, '2027-01-05T05:00:00Z')`;
      await other.sql`call app.release_frozen_points(null, '2027-01-07T04:00:00Z')`;
      const [row] = await other.sql`select count(*)::int as days from app.release_runs where finished_at is not null`;
      expect(row).toEqual({ days: 3 });
    } finally {
      await other.close();
    }
  });
});

describe("releasing", () => {
  it("defers a member whose row is locked, and releases the others without waiting", async () => {
    const [held, free] = [await store.reporter(), await store.reporter()];
    for (const referrer of [held, free]) await store.settle(await store.buy(await store.signUp(referrer)));
    const holder = store.connection();
    await holder`begin`;
    await holder`select from app.user_balances where uid = ${held} for update`;
    const release = store.sql`call app.release_frozen_points('2027-02-05', '2027-02-05T04:00:00Z')`.then(() => "done");
    for (;;) {
      const [row] = await store.sql`select from app.points_release_log where uid = ${free} and release_date = '2027-02-05'`;
      if (row) break;
    }
    expect(await store.sql`select from app.points_release_log where uid = ${held} and release_date = '2027-02-05'`).toHaveLength(0);
    await holder`commit`;
    await holder.end();
    expect(await release).toBe("done");
    expect(await store.sql`select from app.points_release_log where uid = ${held} and release_date = '2027-02-05'`).toHaveLength(1);
  });

  it("gives every member one release, even if it is started twice, killed halfway and run again", async () => {
    const members = await Promise.all(Array.from({ length: 6 }, () => store.reporter()));
    for (const member of members) await store.settle(await store.buy(await store.signUp(member)));
    // The last member's row is locked, so the first run blocks near its end, after committing most chunks.
    const holder = store.connection();
    await holder`begin`;
    await holder`select from app.user_balances where uid = ${Math.max(...members)} for update`;
    const victim = store.connection();
    const [self] = await victim`select pg_backend_pid() as pid`;
    const killed = victim`call app.release_frozen_points('2027-02-06', '2027-02-06T04:00:00Z', 2)`.then(() => "finished", () => "cut off");
    for (;;) {
      const [row] = await store.sql`select users from app.release_runs where release_date = '2027-02-06'`;
      if (row && row.users >= 5) break;
    }
    await store.sql`select pg_terminate_backend(${self?.pid})`;
    expect(await killed).toBe("cut off");
    await holder`rollback`;
    await Promise.all([holder.end(), victim.end({ timeout: 0 })]);
    expect((await store.sql`select finished_at from app.release_runs where release_date = '2027-02-06'`)[0]?.finished_at).toBeNull();

    const again = await store.together([1, 2].map(() => (sql: Sql) => sql`call app.release_frozen_points('2027-02-06', '2027-02-06T04:00:00Z', 2)`));
    expect(rejections(again)).toEqual([]);
    const rows = await store.sql`select uid from app.points_release_log where release_date = '2027-02-06' and uid in ${store.sql(members)}`;
    expect(rows.map((row) => Number(row.uid)).sort()).toEqual([...members].sort());
    expect(await store.findings()).toEqual([]);
  });

  it("that goes on after midnight gives nothing of the points that were earned after midnight", async () => {
    const other = await Store.open();
    try {
      const uid = await other.reporter();
      await other.settle(await other.buy(await other.signUp(uid)));
      const next = await other.buy(await other.signUp(uid));
      const today = async () => (await other.sql`select app.business_day(clock_timestamp())::text as day`)[0]!.day as string;
      await other.sql`update app.settings set time_zone = ${zoneWithMidnightIn(8).name}`;
      const day = await today();
      const holder = other.connection();
      await holder`begin`;
      await holder`select app.lock_balances(array[${uid}::bigint])`;
      const running = other.sql`call app.release_frozen_points()`.then(() => "done");
      await other.untilWaiting(1);
      expect(await today()).toBe(day);
      await vi.waitFor(async () => expect(await today()).not.toBe(day), { timeout: 20_000 });
      await holder`select from app.settle_order(${next}, null)`;
      await holder`commit`;
      await holder.end();
      expect(await running).toBe("done");
      const [release] = await other.sql`select frozen_before, release_points from app.points_release_log where uid = ${uid} and release_date = ${day}`;
      expect(release).toEqual({ frozen_before: "1800.0000", release_points: "0.2880" });
      expect(await other.findings()).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it.each([2, 4])("%i times concurrently, each with its own time, ends without an error", async (count) => {
    await earner();
    const day = `2027-01-1${count}`;
    const results = await store.together(Array.from({ length: count }, (_, index) => (sql: Sql) => dailyRelease(sql, day, 10 * (count - index))));
    expect(rejections(results)).toEqual([]);
    expect(await run(day)).toEqual({ finished: true, failures: 0, last_error: null });
    expect(await store.findings()).toEqual([]);
  });
});
