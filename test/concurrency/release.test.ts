import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { zoneWithMidnightIn } from "../../scripts/testing/midnight.ts";
import { Store, until } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

type Sql = Store["sql"];
const rejections = (results: PromiseSettledResult<unknown>[]) =>
  results.filter((result) => result.status === "rejected").map((result) => result.reason);

/** A member with 720 frozen points. */
async function earner(): Promise<number> {
  const uid = await store.reporter();
  await store.settle(await store.buy(await store.signUp(uid)));
  return uid;
}

const began = Date.now();
/** A day after today. Releases of days before it find no points, because members earn theirs now. */
const inDays = (days: number) => new Date(began + days * 86_400_000).toISOString().slice(0, 10);
/** Noon of a day in Shanghai, or some minutes later. */
const noonOf = (day: string, minute = 0) => `${day}T04:${String(minute).padStart(2, "0")}:00Z`;

/** Runs the daily release. */
const dailyRelease = (sql: Sql, day: string, minute = 0) =>
  sql`call app.release_frozen_points(null, ${noonOf(day, minute)}, 2)`;
const run = async (day: string) =>
  (
    await store.sql`select finished_at is not null as finished, failures, last_error from app.release_runs where release_date = ${day}`
  )[0];
const released = async (day: string) =>
  (await store.sql`select uid from app.points_release_log where release_date = ${day}`).map((row) => Number(row.uid));

/** Makes the release of a member fail, in every session or only in sessions with a setting. */
async function failFor(uid: number, condition = "true"): Promise<{ stop(): Promise<unknown> }> {
  await store.sql.unsafe(`
    create function public.poison() returns trigger language plpgsql as $$ begin raise exception 'poisoned'; end $$;
    create trigger poison before insert on app.points_release_log for each row when (new.uid = ${uid} and ${condition}) execute function public.poison()`);
  return {
    stop: () => store.sql.unsafe("drop trigger poison on app.points_release_log; drop function public.poison()"),
  };
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
    const [firstDay, secondDay, thirdDay] = [inDays(5), inDays(6), inDays(7)];
    const [failing, held] = [await earner(), await earner()];
    const poison = await failFor(failing);
    const holder = await hold(held);
    const runs = [store.connection(), store.connection()];
    const first = dailyRelease(runs[0]!, firstDay).then(() => "done");
    await store.untilWaiting(1);
    const second = dailyRelease(runs[1]!, firstDay).then(() => "done");
    await store.untilWaiting(2);
    await holder.letGo();
    expect(await Promise.all([first, second])).toEqual(["done", "done"]);
    await Promise.all(runs.map((sql) => sql.end()));
    const unfinished = { finished: false, failures: 1, last_error: `uid ${failing}: P0001: poisoned` };
    expect(await run(firstDay)).toEqual(unfinished);

    await dailyRelease(store.sql, secondDay);
    expect([await run(firstDay), await run(secondDay)]).toEqual([unfinished, unfinished]);
    expect(await released(secondDay)).toContain(held);

    await poison.stop();
    await dailyRelease(store.sql, thirdDay);
    for (const day of [firstDay, secondDay, thirdDay])
      expect(await run(day)).toEqual({ finished: true, failures: 0, last_error: null });
    const days =
      await store.sql`select release_date::text from app.points_release_log where uid = ${failing} order by id`;
    expect(days.map((row) => row.release_date)).toEqual([firstDay, secondDay, thirdDay]);
    expect(await store.findings()).toEqual([]);
  });

  it("is finished by a concurrent run that released everyone", async () => {
    const day = inDays(8);
    const [failing, held] = [await earner(), await earner()];
    const poison = await failFor(failing, "current_setting('test.fails', true) = 'yes'");
    const holder = await hold(held);
    const runs = [store.connection(), store.connection()];
    await runs[0]!`set test.fails = 'yes'`;
    const first = dailyRelease(runs[0]!, day).then(() => "done");
    await store.untilWaiting(1);
    expect(await run(day)).toMatchObject({ finished: false, failures: 1 });
    const second = dailyRelease(runs[1]!, day).then(() => "done");
    await store.untilWaiting(2);
    await holder.letGo();
    expect(await Promise.all([first, second])).toEqual(["done", "done"]);
    await Promise.all(runs.map((sql) => sql.end()));
    await poison.stop();
    expect(await run(day)).toEqual({ finished: true, failures: 0, last_error: null });
    expect(await released(day)).toContain(failing);
  });

  it("stays unfinished if a row was locked for too long", async () => {
    const day = inDays(9);
    const [held, free] = [await earner(), await earner()];
    const holder = await hold(held);
    await dailyRelease(store.sql, day);
    expect(await run(day)).toEqual({
      finished: false,
      failures: 1,
      last_error: `uid ${held}: another transaction holds the row`,
    });
    expect(await released(day)).toContain(free);
    await holder.letGo();
    await dailyRelease(store.sql, day, 1);
    expect(await run(day)).toEqual({ finished: true, failures: 0, last_error: null });
  });
});

describe("days that were missed", () => {
  it("begin with the first run without a day; a run with a day releases only that day", async () => {
    const other = await Store.open();
    try {
      const [named, first, missed, missedToo, last] = [inDays(5), inDays(24), inDays(25), inDays(26), inDays(27)];
      const days = async () =>
        (await other.sql`select release_date::text as day from app.release_runs order by 1`).map((row) => row.day);
      await other.sql`call app.release_frozen_points(${named}, ${noonOf(first)})`;
      expect(await days()).toEqual([named]);
      await other.sql`call app.release_frozen_points(null, ${noonOf(first)})`;
      expect(await days()).toEqual([named, first]);
      await other.sql`call app.release_frozen_points(${last}, ${noonOf(last)})`;
      await other.sql`call app.release_frozen_points(null, ${noonOf(last, 59)})`;
      expect(await days()).toEqual([named, first, missed, missedToo, last]);
    } finally {
      await other.close();
    }
  });

  it("begin with it even if the first day was released by name before, or its run was interrupted", async () => {
    const other = await Store.open();
    try {
      await other.sql`call app.release_frozen_points(${inDays(5)}, ${noonOf(inDays(5))})`;
      await other.sql`call app.release_frozen_points(null, ${noonOf(inDays(5), 59)})`;
      await other.sql`call app.release_frozen_points(null, ${noonOf(inDays(7))})`;
      const [row] = await other.sql`select count(*)::int as days from app.release_runs where finished_at is not null`;
      expect(row).toEqual({ days: 3 });
    } finally {
      await other.close();
    }
  });
});

describe("releasing", () => {
  it("defers a member whose row is locked, and releases the others without waiting", async () => {
    const day = inDays(36);
    const [held, free] = [await store.reporter(), await store.reporter()];
    for (const referrer of [held, free]) await store.settle(await store.buy(await store.signUp(referrer)));
    const holder = store.connection();
    await holder`begin`;
    await holder`select from app.user_balances where uid = ${held} for update`;
    const release = store.sql`call app.release_frozen_points(${day}, ${noonOf(day)})`.then(() => "done");
    const isReleased = async () =>
      (await store.sql`select from app.points_release_log where uid = ${free} and release_date = ${day}`).length > 0;
    await until(isReleased);
    expect(
      await store.sql`select from app.points_release_log where uid = ${held} and release_date = ${day}`,
    ).toHaveLength(0);
    await holder`commit`;
    await holder.end();
    expect(await release).toBe("done");
    expect(
      await store.sql`select from app.points_release_log where uid = ${held} and release_date = ${day}`,
    ).toHaveLength(1);
  });

  // Guarantee money/release-once: Points are released once per member and business day
  // By: the primary key of the log, app.points_release_log
  it("gives every member one release, even if it is started twice, killed halfway and run again", async () => {
    const day = inDays(37);
    const members = await Promise.all(Array.from({ length: 6 }, () => store.reporter()));
    for (const member of members) await store.settle(await store.buy(await store.signUp(member)));
    // The last member's row is locked, so the first run blocks near its end, after committing most chunks.
    const holder = store.connection();
    await holder`begin`;
    await holder`select from app.user_balances where uid = ${Math.max(...members)} for update`;
    const victim = store.connection();
    const [self] = await victim`select pg_backend_pid() as pid`;
    const killed = victim`call app.release_frozen_points(${day}, ${noonOf(day)}, 2)`.then(
      () => "finished",
      () => "cut off",
    );
    const isNearItsEnd = async () =>
      (await store.sql`select from app.release_runs where release_date = ${day} and users >= 5`).length > 0;
    await until(isNearItsEnd);
    await store.sql`select pg_terminate_backend(${self?.pid})`;
    expect(await killed).toBe("cut off");
    await holder`rollback`;
    await Promise.all([holder.end(), victim.end({ timeout: 0 })]);
    expect(
      (await store.sql`select finished_at from app.release_runs where release_date = ${day}`)[0]?.finished_at,
    ).toBeNull();

    const again = await store.together(
      [1, 2].map(() => (sql: Sql) => sql`call app.release_frozen_points(${day}, ${noonOf(day)}, 2)`),
    );
    expect(rejections(again)).toEqual([]);
    const rows =
      await store.sql`select uid from app.points_release_log where release_date = ${day} and uid in ${store.sql(members)}`;
    expect(rows.map((row) => Number(row.uid)).sort()).toEqual([...members].sort());
    expect(await store.findings()).toEqual([]);
  });

  // Guarantee money/release-midnight: A release that goes on after midnight gives nothing of what was earned after
  // midnight
  // By: the balance is read after the lock, app.release_members
  it("that goes on after midnight gives nothing of the points that were earned after midnight", async () => {
    const other = await Store.open();
    try {
      const uid = await other.reporter();
      await other.settle(await other.buy(await other.signUp(uid)));
      const next = await other.buy(await other.signUp(uid));
      const today = async () =>
        (await other.sql`select app.business_day(clock_timestamp())::text as day`)[0]!.day as string;
      await other.sql`update app.settings set time_zone = ${zoneWithMidnightIn(8).name}`;
      const day = await today();
      const holder = other.connection();
      await holder`begin`;
      await holder`select app.lock_balances(array[${uid}::bigint])`;
      const running = other.sql`call app.release_frozen_points()`.then(() => "done");
      await other.untilWaiting(1);
      expect(await today()).toBe(day);
      await vi.waitFor(async () => expect(await today()).not.toBe(day));
      await holder`select from app.settle_order(${next}, null)`;
      await holder`commit`;
      await holder.end();
      expect(await running).toBe("done");
      const [release] =
        await other.sql`select frozen_before, release_points from app.points_release_log where uid = ${uid} and release_date = ${day}`;
      expect(release).toEqual({ frozen_before: "1800.0000", release_points: "0.2880" });
      expect(await other.findings()).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it.each([2, 4])("%i times concurrently, each with its own time, ends without an error", async (count) => {
    await earner();
    const day = inDays(10 + count);
    const results = await store.together(
      Array.from({ length: count }, (_, index) => (sql: Sql) => dailyRelease(sql, day, 10 * (count - index))),
    );
    expect(rejections(results)).toEqual([]);
    expect(await run(day)).toEqual({ finished: true, failures: 0, last_error: null });
    expect(await store.findings()).toEqual([]);
  });
});

describe("reconciliation", () => {
  it("reports an unfinished day only while no run releases it", async () => {
    const other = await Store.open();
    const holder = other.connection();
    const session = other.connection();
    try {
      const uid = await other.reporter();
      await other.settle(await other.buy(await other.signUp(uid)));
      await holder`begin`;
      await holder`select app.lock_balances(array[${uid}::bigint])`;
      const release = session`call app.release_frozen_points(app.business_day(now()) - 1)`.then(
        () => "finished",
        () => "cut off",
      );
      await other.untilWaiting(1);
      const unfinished = () => other.sql`select from app.reconcile() where check_name = 'release_day_is_finished'`;
      expect(await unfinished()).toHaveLength(0);
      await other.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'call app.release_frozen_points%'`;
      expect(await release).toBe("cut off");
      expect(await unfinished()).toHaveLength(1);
    } finally {
      // The driver may wait forever for the end of a connection that the server has terminated.
      await Promise.all([holder.end(), session.end({ timeout: 1 })]);
      await other.close();
    }
  });
});
