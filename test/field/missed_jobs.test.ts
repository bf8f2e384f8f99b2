import { readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { cloneDatabase, type ClonedDatabase, connect, rolledBack } from "../support/index.ts";

// pg_cron looks only at the present minute: a server that is away in the minute of a job never runs it
// (citusdata/pg_cron#12, timgit/pg-boss#557).
const standIn = readFileSync(join(projectRoot, "scripts/postgres/platform/04_cron_stand_in.sql"), "utf8");

let clone: ClonedDatabase;
let sql: postgres.Sql;
beforeAll(async () => {
  clone = await cloneDatabase();
  // Up to three sessions: two schedulers, and one that looks.
  sql = connect(clone.url, { max: 3 });
  await sql.unsafe(standIn);
});
afterAll(async () => {
  await sql.end();
  await clone.drop();
});

const job = "remove_unused_pictures";

/** Lets the times of a job count from a time. */
const schedule = (tx: postgres.Sql, name: string, text: string, from: string) =>
  tx`update app.scheduled_jobs set schedule = ${text}, is_active = true where name = ${name}`.then(
    () => tx`select app.apply_schedule(${from})`,
  );
const missed = async (tx: postgres.Sql, name: string, now: string) => {
  const [row] = await tx<{ at: string | null }[]>`
    select to_char(app.missed_time(j, ${now}) at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at from app.scheduled_jobs as j where j.name = ${name}`;
  return row!.at;
};
const late = async (tx: postgres.Sql, now: string) =>
  (await tx<{ late: string[] }[]>`select app.health_json(${now}) -> 'late_jobs' as late`)[0]!.late;

/** A run of pg_cron. */
const cronRun = (tx: postgres.Sql, name: string, start: string | null, status: string) => tx`
  insert into cron.job_run_details (jobid, status, start_time, end_time)
  select c.jobid, ${status}, ${start}::timestamptz, ${start}::timestamptz + interval '1 second' from cron.job as c where c.jobname = ${name} returning 1`;
/** A run that has recorded itself. */
const ownRun = (tx: postgres.Sql, name: string, start: string, day: string | null = null) => tx`
  insert into app.job_runs (job, from_day, to_day, started_at, usual_batch, pid, cut_at) values (${name}, ${day}, ${day}, ${start}, 1, 0, ${start})`;

type Zone = "Asia/Shanghai" | "America/Havana" | "Europe/Berlin" | "America/Los_Angeles";
interface Case {
  zone?: Zone;
  schedule?: string;
  /** Since when the times count. */
  from: string;
  now: string;
  /** What happened since then. */
  after?: (tx: postgres.Sql) => Promise<unknown>;
  missed: string | null;
}

const cases: Record<string, Case> = {
  "the time of last night": { from: "2026-03-01", now: "2026-03-02 18:41", missed: "2026-03-02 18:40" },
  "not before its minute is over": { from: "2026-03-02", now: "2026-03-02 18:40:59", missed: null },
  "a time of a minute ago, by local days that UTC divides otherwise": {
    schedule: "30 7 * * *",
    from: "2026-03-01",
    now: "2026-03-02 23:31",
    missed: "2026-03-02 23:30",
  },
  "the newest only, after days": { from: "2026-03-01", now: "2026-03-09 03:00", missed: "2026-03-08 18:40" },
  // NousResearch/hermes-agent#77406, openclaw/openclaw#60985: the next time, hours before it.
  "nothing whose time is still to come today": { from: "2026-03-01 19:00", now: "2026-03-02 18:30", missed: null },
  "nothing from before it was scheduled": { from: "2026-03-02 18:45", now: "2026-03-02 19:00", missed: null },
  "the weekly time of days ago": {
    schedule: "40 2 * * 1",
    from: "2026-03-01",
    now: "2026-03-06 12:00",
    missed: "2026-03-01 18:40",
  },
  // NousResearch/hermes-agent#68211: a weekly job that had run, run again after a restart.
  "no weekly time that has had its run": {
    schedule: "40 2 * * 1",
    from: "2026-03-01",
    now: "2026-03-06 12:00",
    after: (tx) => cronRun(tx, job, "2026-03-01 18:40:00.3", "succeeded"),
    missed: null,
  },
  "a time after the run of the day before": {
    from: "2026-03-01",
    now: "2026-03-03 19:00",
    after: (tx) => cronRun(tx, job, "2026-03-02 18:40", "succeeded"),
    missed: "2026-03-03 18:40",
  },
  "no time with a run that goes on": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: (tx) => cronRun(tx, job, "2026-03-02 18:40", "running"),
    missed: null,
  },
  // ptweezy/cronstable#17, citusdata/pg_cron#210
  "a time whose run could not begin": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: (tx) => cronRun(tx, job, null, "failed"),
    missed: "2026-03-02 18:40",
  },
  "a time whose run began and was killed before it recorded anything": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: (tx) => cronRun(tx, job, "2026-03-02 18:40", "failed"),
    missed: "2026-03-02 18:40",
  },
  "no time whose run was cut: that one is continued": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: async (tx) => {
      await cronRun(tx, job, "2026-03-02 18:40", "failed");
      await ownRun(tx, job, "2026-03-02 18:40:01");
    },
    missed: null,
  },
  "a time after which only a named day was run by hand": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: (tx) => ownRun(tx, job, "2026-03-02 18:50", "2026-02-20"),
    missed: "2026-03-02 18:40",
  },
  "no time after which it was run by hand, or by another scheduler": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: (tx) => ownRun(tx, job, "2026-03-02 18:50"),
    missed: null,
  },
  "a time before which it was run by hand": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: (tx) => ownRun(tx, job, "2026-03-02 18:30"),
    missed: "2026-03-02 18:40",
  },
  "nothing of a job that is switched off": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: (tx) => tx`select app.set_schedule(${job}, null, false, null, '2026-03-02 12:00')`,
    missed: null,
  },
  "nothing from before it was switched on again": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: async (tx) => {
      await tx`select app.set_schedule(${job}, null, false, null, '2026-03-02 12:00')`;
      await tx`select app.set_schedule(${job}, null, true, null, '2026-03-02 18:50')`;
    },
    missed: null,
  },
  "nothing from before an administrator moved it to an earlier time": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: (tx) => tx`select app.set_schedule(${job}, '30 1 * * *', null, null, '2026-03-02 17:50')`,
    missed: null,
  },
  "a time after an administrator moved it": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: (tx) => tx`select app.set_schedule(${job}, '55 2 * * *', null, null, '2026-03-02 17:50')`,
    missed: "2026-03-02 18:55",
  },
  "nothing from before a migration changed its preset": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: async (tx) => {
      await tx`update app.scheduled_jobs set preset = '10 1 * * *', schedule = '10 1 * * *' where name = ${job}`;
      await tx`select app.apply_schedule('2026-03-02 18:59')`;
    },
    missed: null,
  },
  "nothing from before the store got another time zone": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: async (tx) => {
      await tx`update app.settings set time_zone = 'Asia/Tokyo'`;
      await tx`select app.apply_schedule('2026-03-02 18:50')`;
    },
    missed: null,
  },
  "nothing from before pg_cron had it again": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: async (tx) => {
      await tx`select cron.unschedule(${job})`;
      await tx`select app.apply_schedule('2026-03-02 18:50')`;
    },
    missed: null,
  },
  // Restored or promoted: another server, timeline, database or tables. What the row says is then of another place,
  // also before anybody has looked.
  "nothing of another place": {
    from: "2026-03-01",
    now: "2026-03-02 19:00",
    after: (tx) =>
      tx`update app.scheduled_jobs set times_count_for = regexp_replace(times_count_for, ' 0000000', ' 0000001') where name = ${job}`,
    missed: null,
  },
  // Steve-Mcl/node-red-contrib-cron-plus#108: the hour that comes twice, and the one that is left out.
  "the first of two equal local times": {
    zone: "Europe/Berlin",
    from: "2026-10-24",
    now: "2026-10-25 00:41",
    missed: "2026-10-25 00:40",
  },
  "not the second of two equal local times, if the first has had its run": {
    zone: "Europe/Berlin",
    from: "2026-10-24",
    now: "2026-10-25 01:45",
    after: (tx) => cronRun(tx, job, "2026-10-25 00:40", "succeeded"),
    missed: null,
  },
  "a local time that the night leaves out": {
    zone: "Europe/Berlin",
    from: "2026-03-28",
    now: "2026-03-29 02:00",
    missed: "2026-03-29 01:40",
  },
  "a midnight that the night leaves out": {
    zone: "America/Havana",
    schedule: "1 0 * * *",
    from: "2026-03-07 12:00",
    now: "2026-03-08 05:30",
    missed: "2026-03-08 05:01",
  },
  "a time of the day before in UTC": {
    zone: "America/Los_Angeles",
    schedule: "30 23 * * 2",
    from: "2026-03-01",
    now: "2026-03-04 07:31",
    missed: "2026-03-04 07:30",
  },
};

describe("a daily or weekly job has missed", () => {
  it.each(Object.entries(cases))(
    "%s",
    (_name, { zone = "Asia/Shanghai", schedule: text = "40 2 * * *", from, now, after, missed: expected }) =>
      rolledBack(sql, async (transaction) => {
        const tx = transaction as unknown as postgres.Sql;
        await tx`set local time zone 'UTC'`;
        await tx`update app.settings set time_zone = ${zone}`;
        await schedule(tx, job, text, from);
        await after?.(tx);
        expect(await missed(tx, job, now)).toBe(expected);
        const names = await late(tx, now);
        if (expected === null) expect(names).not.toContain(job);
        else expect(names).toContain(job);
      }),
  );

  it("every one of the store's times, until it has run", () =>
    rolledBack(sql, async (transaction) => {
      const tx = transaction as unknown as postgres.Sql;
      await tx`update app.scheduled_jobs set is_active = true`;
      await tx`select app.apply_schedule('2026-03-01')`;
      const daily = (await tx`select name from app.scheduled_jobs where schedule ~ '^\\d+ \\d+ ' order by name`).map(
        (row) => row.name as string,
      );
      expect(daily).toEqual(
        expect.arrayContaining(["fsgx_release_frozen_points", "reconcile_bill", "compact_due_months", job]),
      );
      expect(await late(tx, "2026-03-09")).toEqual(expect.arrayContaining(daily));
      for (const name of daily) expect(await cronRun(tx, name, "2026-03-09 00:00", "succeeded")).toHaveLength(1);
      expect((await late(tx, "2026-03-09 00:01")).filter((name) => daily.includes(name))).toEqual([]);
    }));
});

describe("continue_unfinished_runs", () => {
  /** The local time of some minutes ago, as a daily schedule. */
  const minutesAgo = async (minutes: number) =>
    (
      await sql`select to_char((now() - ${minutes} * interval '1 minute') at time zone s.time_zone, 'FMMI FMHH24 "* * *"') as text from app.settings as s`
    )[0]!.text as string;
  const anHourAgo = () => sql`select app.apply_schedule(now() - interval '1 hour')`;
  const proceed = () => sql`call app.continue_unfinished_runs()`;
  const runs = async () =>
    (await sql`select job, count(*)::integer as count from app.job_runs group by job order by job`).map(
      ({ job: name, count }) => [name, count],
    );
  const now = async () => (await sql<{ now: string }[]>`select now()::text as now`)[0]!.now;

  beforeEach(async () => {
    await sql`truncate cron.job_run_details, app.job_runs, app.imports restart identity cascade`;
    await sql`update app.scheduled_jobs set schedule = preset, is_active = false, tried_at = null`;
    await sql`select app.apply_schedule(now())`;
  });

  // Guarantee money/missed-jobs: A daily or weekly job that misses its time is started once, within five minutes after
  // the outage. Health names it until then
  // By: the latest time and the runs since, app.missed_time and app.runs_to_start (decision 0168)
  it("starts every job that has missed its time, once, with whatever schedule an administrator gave it, and health names it until then", async () => {
    await sql`update app.scheduled_jobs set schedule = ${await minutesAgo(2)}, is_active = true where name <> 'continue_unfinished_runs'`;
    await anHourAgo();
    const names = (await sql`select name from app.scheduled_jobs where is_active order by name`).map(
      (row) => row.name as string,
    );
    expect(names.length).toBeGreaterThan(24);
    expect(await late(sql, await now())).toEqual(names);
    await proceed();
    expect(await runs()).toEqual(names.map((name) => [name, 1]));
    expect(await sql`select job from app.job_runs where ended_at is null`).toEqual([]);
    expect(await late(sql, await now())).toEqual([]);
    await proceed();
    expect(await runs()).toEqual(names.map((name) => [name, 1]));
  });

  it("starts the newest time only, and not what an outage of the scheduler itself left", async () => {
    await sql`update app.scheduled_jobs set schedule = ${await minutesAgo(2)}, is_active = true where name = 'sum_days'`;
    await sql`select app.apply_schedule(now() - interval '5 days')`;
    await proceed();
    await proceed();
    expect(await runs()).toEqual([["sum_days", 1]]);
  });

  // Guarantee money/missed-jobs
  it("starts a missed run once, although two schedulers look at the same time", async () => {
    await sql`update app.scheduled_jobs set schedule = ${await minutesAgo(2)}, is_active = true where name in ('sum_days', ${job})`;
    await anHourAgo();
    await Promise.all([proceed(), proceed(), proceed()]);
    expect(await runs()).toEqual([
      [job, 1],
      ["sum_days", 1],
    ]);
  });

  // Guarantee money/missed-jobs
  it("starts nothing that was missed during an import, and all of it afterwards", async () => {
    await sql`update app.scheduled_jobs set schedule = ${await minutesAgo(2)}, is_active = true where name = 'sum_days'`;
    await anHourAgo();
    await sql`insert into app.imports (form, source_hash, started_at) values ('neutral', repeat('0', 64), now())`;
    await proceed();
    expect(await runs()).toEqual([]);
    expect(await late(sql, await now())).toEqual(["sum_days"]);
    await sql`update app.imports set finished_at = now(), is_abandoned = true`;
    await proceed();
    expect(await runs()).toEqual([["sum_days", 1]]);
  });

  it("continues a run that was cut together with a missed one of the same job, by one run", async () => {
    await sql`update app.scheduled_jobs set schedule = ${await minutesAgo(2)}, is_active = true where name = 'sum_days'`;
    await anHourAgo();
    await sql`insert into app.job_runs (job, started_at, usual_batch, pid, cut_at) values ('sum_days', now() - interval '1 day', 31, 0, now())`;
    await proceed();
    expect(await runs()).toEqual([["sum_days", 2]]);
    expect(await sql`select from app.job_runs where ended_at is null and completed_at is null`).toHaveLength(0);
  });

  it("is not held up by a job that fails, tries that one again only after an hour, and health goes on naming it", async () => {
    await sql`update app.scheduled_jobs set schedule = ${await minutesAgo(2)}, is_active = true where name in ('sum_days', ${job})`;
    await sql`update app.scheduled_jobs set command = 'select 1 / 0' where name = ${job}`;
    await anHourAgo();
    const tried = async () =>
      (await sql`select tried_at from app.scheduled_jobs where name = ${job}`)[0]!.tried_at as Date;
    await proceed();
    const first = await tried();
    await proceed();
    expect(await tried()).toEqual(first);
    expect(await runs()).toEqual([["sum_days", 1]]);
    expect(await late(sql, await now())).toEqual([job]);
    await sql`update app.scheduled_jobs set command = 'select app.remove_unused_pictures()', tried_at = tried_at - interval '61 minutes' where name = ${job}`;
    await proceed();
    expect(await runs()).toEqual([
      [job, 1],
      ["sum_days", 1],
    ]);
  });

  it("lets the times of a restored store count from its first call", async () => {
    await sql`update app.scheduled_jobs set schedule = ${await minutesAgo(2)}, is_active = true where name = 'sum_days'`;
    await anHourAgo();
    // As in a dump that is restored: the row is from another place.
    await sql`update app.scheduled_jobs set times_count_for = regexp_replace(times_count_for, ' 0000000', ' 0000001')`;
    await proceed();
    await proceed();
    expect(await runs()).toEqual([]);
    const [row] = await sql`
      select times_count_from > now() - interval '5 minutes' as is_new, times_count_for = app.times_count_for(j) as is_here
      from app.scheduled_jobs as j where name = 'sum_days'`;
    expect(row).toEqual({ is_new: true, is_here: true });
  });
});

it("a clone of a database has missed nothing of what its original has", async () => {
  await sql`update app.scheduled_jobs set schedule = '1 0 * * *', is_active = true where name = 'sum_days'`;
  await sql`select app.apply_schedule(now() - interval '3 days')`;
  const [original] =
    await sql`select app.missed_time(j, now()) is not null as missed, times_count_for from app.scheduled_jobs as j where name = 'sum_days'`;
  expect(original!.missed).toBe(true);
  const other = await cloneDatabase();
  const there = connect(other.url);
  await there.unsafe(standIn);
  await there`select app.apply_schedule(now() - interval '3 days')`;
  await there`update app.scheduled_jobs set times_count_for = ${original!.times_count_for as string}, schedule = '1 0 * * *' where name = 'sum_days'`;
  expect(
    await there`select app.missed_time(j, now()) as missed from app.scheduled_jobs as j where name = 'sum_days'`,
  ).toEqual([{ missed: null }]);
  await there.end();
  await other.drop();
});
