import { readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { isDue, Scheduler } from "../../scripts/stack/scheduler.ts";
import { schedulerProblem } from "../../scripts/stack/scheduler_problem.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { cloneDatabase, type ClonedDatabase, connect, lockSchedule, skipFor, stack } from "../support/index.ts";

// The scheduler of the local stack, which runs the jobs where the server has no pg_cron.
const standIn = readFileSync(join(projectRoot, "scripts/postgres/platform/04_cron_stand_in.sql"), "utf8");
const at = (time: string) => new Date(`2026-11-22T${time}:00Z`);

let clone: ClonedDatabase;
let sql: postgres.Sql;
beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url, { max: 2 });
  await sql.unsafe(standIn);
});
afterEach(() => sql`truncate cron.job, cron.job_run_details`);
afterAll(async () => {
  await sql.end();
  await clone.drop();
});

const schedule = (name: string, text: string, command = "select 1") =>
  sql`select cron.schedule(${name}, ${text}, ${command})`;
const runs = () => sql<{ name: string; status: string; message: string }[]>`
  select j.jobname as name, d.status, d.return_message as message from cron.job_run_details as d left join cron.job as j using (jobid) order by d.runid`;
const names = async () => (await runs()).map(({ name }) => name).sort();

describe("the scheduler of the local stack", () => {
  it("starts a job in the minute of its schedule, in GMT in any time zone of the machine, and once", async () => {
    vi.stubEnv("TZ", "Asia/Shanghai");
    await schedule("daily", "1 16 * * *");
    const scheduler = new Scheduler(clone.url, at("15:59"));
    for (const time of ["16:00", "16:01", "16:02"]) await scheduler.startDueJobs(at(time));
    await scheduler.idle();
    vi.unstubAllEnvs();
    expect(await runs()).toEqual([{ name: "daily", status: "succeeded", message: "SELECT 1" }]);
  });

  it("agrees with the next run that the store shows, for every form of schedule", async () => {
    await sql`update app.settings set time_zone = 'UTC'`;
    const now = at("23:30");
    for (const text of [
      "* * * * *",
      "*/7 * * * *",
      "*/10 * * * *",
      "*/59 * * * *",
      "29 * * * *",
      "30 * * * *",
      "31 * * * *",
      "0 0 * * *",
      "30 23 * * *",
      "31 23 * * *",
      "5 6 * * 0",
      "5 6 * * 1",
      "30 23 * * 0",
    ]) {
      const [row] = await sql<{ next: Date }[]>`
        select app.next_run(jsonb_populate_record(j, jsonb_build_object('schedule', ${text}::text)), ${now}) as next from app.scheduled_jobs as j limit 1`;
      const { next } = row!;
      expect([text, isDue(text, now, new Date(next.getTime() - 60_000)), isDue(text, now, next)]).toEqual([
        text,
        false,
        true,
      ]);
    }
  });

  it("runs one instance of a job at a time: a run that becomes due meanwhile waits", async () => {
    await schedule("slow", "* * * * *", "select pg_advisory_xact_lock(1)");
    const scheduler = new Scheduler(clone.url, at("10:00"));
    await sql.begin(async (holder) => {
      await holder`select pg_advisory_xact_lock(1)`;
      for (const time of ["10:01", "10:02", "10:03"]) await scheduler.startDueJobs(at(time));
      await vi.waitFor(async () =>
        expect(
          await sql`select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
        ).toHaveLength(1),
      );
      expect(await runs()).toMatchObject([{ status: "running" }]);
    });
    await scheduler.idle();
    expect(await runs()).toMatchObject([{ status: "succeeded" }, { status: "succeeded" }, { status: "succeeded" }]);
    expect(
      await sql`select from cron.job_run_details as a join cron.job_run_details as b on b.runid > a.runid and b.start_time < a.end_time`,
    ).toHaveLength(0);
  });

  it("runs a job once that became due while the machine slept, and after more than three hours only what is due now", async () => {
    await schedule("hourly", "15 * * * *");
    await schedule("minutely", "* * * * *");
    const scheduler = new Scheduler(clone.url, at("10:00"));
    await scheduler.startDueJobs(at("12:30"));
    await scheduler.idle();
    expect(await names()).toEqual(["hourly", "minutely"]);
    await scheduler.startDueJobs(at("16:00"));
    await scheduler.idle();
    expect(await names()).toEqual(["hourly", "minutely", "minutely"]);
  });

  it("reports runs that the end of the server has cut short as failed", async () => {
    await sql`insert into cron.job_run_details (jobid, command, status) values (1, 'select 1', 'running')`;
    const scheduler = new Scheduler(clone.url, at("10:00"));
    await scheduler.start();
    scheduler.stop();
    expect(await runs()).toMatchObject([{ status: "failed", message: "server restarted" }]);
  });

  it("logs a job that failed, and goes on", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await schedule("broken", "* * * * *", "select 1 / 0");
    await schedule("sound", "* * * * *");
    const scheduler = new Scheduler(clone.url, at("10:00"));
    await scheduler.tick(at("10:01"));
    await scheduler.idle();
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^A scheduled job failed \(select 1 \/ 0\): ERROR: division by zero/)],
    ]);
    expect(await runs()).toHaveLength(2);
    log.mockRestore();
  });

  it("logs that it could not read the jobs, which stay due", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await schedule("waits", "1 10 * * *");
    const scheduler = new Scheduler(clone.url, at("10:00"));
    await sql`alter table cron.job rename to lost`;
    await scheduler.tick(at("10:01"));
    await sql`alter table cron.lost rename to job`;
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^The scheduled jobs could not be read: relation "cron.job" does not exist/)],
    ]);
    await scheduler.tick(at("10:02"));
    await scheduler.idle();
    expect(await names()).toEqual(["waits"]);
    log.mockRestore();
  });

  skipFor(it, lacking("pg_cron"))("records the results that pg_cron records", async () => {
    const commands = [
      "select 1 from generate_series(1, 3)",
      "do $$ begin perform 1; end $$",
      "call app.expire_orders()",
      "select 1; select 2 where false",
      "select 1 / 0",
      "select app.fail('order_not_found', 'There is no such order.')",
      "select from nowhere",
      "insert into app.article_categories (name) select 'x' where false",
    ];
    const real = connect(stack().database_url);
    const lock = await lockSchedule();
    const results = (of: postgres.Sql) => of<{ command: string; status: string; return_message: string }[]>`
      select distinct on (d.command) d.command, d.status, d.return_message from cron.job_run_details as d
      where d.command = any (${commands}) and d.end_time is not null and d.return_message <> 'job canceled' order by d.command, d.runid`;
    try {
      // At once, because pg_cron can cancel the run of a job when others are added. Then the run of the next minute
      // counts.
      await real.begin((transaction) =>
        Promise.all(
          commands.map(
            (command, index) => transaction`select cron.schedule(${`agreement_${index}`}, '* * * * *', ${command})`,
          ),
        ),
      );
      await vi.waitFor(async () => expect(await results(real)).toHaveLength(commands.length), { interval: 500 });
    } finally {
      await real`select cron.unschedule(jobid) from cron.job where jobname like 'agreement_%'`;
      await lock.unlock();
    }
    for (const [index, command] of commands.entries()) await schedule(`agreement_${index}`, "* * * * *", command);
    const scheduler = new Scheduler(clone.url, at("10:00"));
    await scheduler.startDueJobs(at("10:01"));
    await scheduler.idle();
    expect(await results(sql)).toEqual(await results(real));
    await real.end();
  });
});

describe("npm start", () => {
  it("says that scheduled jobs are missing in pg_cron, and how to add them", async () => {
    expect(await schedulerProblem(clone.url)).toMatchObject({
      message: "SCHEDULED JOBS ARE MISSING in pg_cron.",
      advice: expect.stringContaining("select app.apply_schedule();"),
    });
    await sql`select app.apply_schedule()`;
    expect(await schedulerProblem(clone.url)).toBeUndefined();
  });

  it("says that nothing runs the scheduled jobs, and how to install pg_cron", async () => {
    const bare = await cloneDatabase();
    try {
      expect(await schedulerProblem(bare.url)).toMatchObject({
        message: expect.stringMatching(/^NO SCHEDULED JOB RUNS/),
        advice: expect.stringContaining("create extension if not exists pg_cron;"),
      });
    } finally {
      await bare.drop();
    }
  });
});
