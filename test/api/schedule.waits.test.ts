import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connect, lockRelease, lockSchedule, stack } from "../support/index.ts";
import { putOffRelease } from "../../scripts/testing/put_off_release.ts";
import { type Account, call, signUpAdmin } from "./client.ts";

const sql = connect(stack().database_url);
let admin: Account;
let schedule: { unlock(): Promise<void> };

const crontab = async () => (await call("GET", "/adminapi/system/crontab", { token: admin.token })).body;
const put = (path: string, json: object) => call("PUT", path, { token: admin.token, json });
const inCron = async (name: string) => (await sql`select schedule, command from cron.job where jobname = ${name}`)[0];

beforeAll(async () => {
  admin = await signUpAdmin("Schedule keeper");
  schedule = await lockSchedule();
  // `npm test` has put off the release.
  await put("/adminapi/system/crontab", { name: "fsgx_release_frozen_points", schedule: "1 0 * * *" });
});
afterAll(async () => {
  await putOffRelease(stack().database_url);
  await schedule.unlock();
  await sql.end();
});

describe("GET /adminapi/system/crontab", () => {
  it("shows the default schedule of the daily release, in the time zone of the store and in UTC", async () => {
    const { time_zone, count, list } = await crontab();
    expect(time_zone).toBe("Asia/Shanghai");
    expect(list).toHaveLength(count);
    const release = list.find((job: { name: string }) => job.name === "fsgx_release_frozen_points");
    expect(release).toMatchObject({ preset: "1 0 * * *", schedule_utc: "1 16 * * *", is_active: true });
    expect(release.next_run).toMatch(/T16:01:00/);
  });
});

describe("PUT /adminapi/system/crontab", () => {
  it("changes the schedule of a job, switches it off and on, and restores the default", async () => {
    const name = "reconcile_bill";
    expect((await put("/adminapi/system/crontab", { name, schedule: "45 1 * * *" })).status).toBe(200);
    expect(await inCron(name)).toMatchObject({ schedule: "45 17 * * *" });
    expect((await put("/adminapi/system/crontab", { name, is_active: false })).status).toBe(200);
    expect(await inCron(name)).toBeUndefined();
    const { body } = await put("/adminapi/system/crontab", { name, schedule: "30 0 * * *", is_active: true });
    expect(body.list.find((job: { name: string }) => job.name === name)).toMatchObject({
      schedule: "30 0 * * *",
      is_active: true,
      changed_by: expect.any(String),
    });
    expect(await inCron(name)).toMatchObject({ schedule: "30 16 * * *" });
  });

  it("rejects unknown jobs and invalid schedules", async () => {
    expect((await put("/adminapi/system/crontab", { name: "drop_everything", schedule: "1 0 * * *" })).body.code).toBe(
      "crontab_not_found",
    );
    for (const text of ["", "every day", "61 0 * * *", "0 0 31 2 *", "@daily"]) {
      expect((await put("/adminapi/system/crontab", { name: "reconcile_bill", schedule: text })).status).toBe(422);
    }
    expect(await inCron("reconcile_bill")).toMatchObject({ schedule: "30 16 * * *" });
  });
});

describe("POST /adminapi/system/crontab/{name}/run", () => {
  it("schedules the job once, runs it and shows its result", async () => {
    const { status, body } = await call("POST", "/adminapi/system/crontab/ensure_month_partitions/run", {
      token: admin.token,
    });
    expect(status).toBe(200);
    expect(Date.parse(body.runs_at) - Date.now()).toBeLessThan(70_000);
    const byHand = () =>
      crontab().then(({ list }) =>
        list
          .find((job: { name: string }) => job.name === "ensure_month_partitions")
          .runs.filter((run: { by_hand: boolean }) => run.by_hand),
      );
    await vi.waitFor(async () => expect((await byHand())[0]).toMatchObject({ status: "succeeded" }), { interval: 500 });
    await sql`call app.purge_cron_history()`;
    expect(await inCron("ensure_month_partitions:now")).toBeUndefined();
  });

  it("returns 404 for an unknown job", async () => {
    expect((await call("POST", "/adminapi/system/crontab/nothing/run", { token: admin.token })).body.code).toBe(
      "crontab_not_found",
    );
  });
});

describe("a scheduler that does not run", () => {
  it("is reported by late jobs, health and overview when a job did not run on time", async () => {
    const late = async (minutes: number) =>
      (
        await sql`select name from app.late_jobs(clock_timestamp() + ${`${minutes} minutes`}::interval) order by name`
      ).map((row) => row.name);
    const health = async (minutes: number) =>
      (await sql`select app.health_json(clock_timestamp() + ${`${minutes} minutes`}::interval) as health`)[0]?.health;
    // Of the others, each is late from the minute after its time on (test/field/missed_jobs.test.ts).
    const frequent = async (minutes: number) => {
      const daily = (await sql`select name from app.scheduled_jobs where schedule ~ '^\\d+ \\d+ '`).map(
        ({ name }) => name as string,
      );
      return (await late(minutes)).filter((name) => !daily.includes(name as string));
    };
    expect(await late(0)).toEqual([]);
    expect(await frequent(10)).toEqual(
      (await sql`select name from app.scheduled_jobs where schedule = '* * * * *' order by name`).map(
        ({ name }) => name,
      ),
    );
    expect(await frequent(10)).toContain("settle_waiting_orders");
    expect(await frequent(130)).toContain("apply_schedule");
    expect(await late(26 * 60)).toContain("fsgx_release_frozen_points");
    expect(await health(10)).toMatchObject({ status: "degraded", scheduler: "late", late_jobs: await late(10) });
    expect((await call("GET", "/api/health")).body).toMatchObject({ scheduler: "ok", late_jobs: [] });
    expect((await call("GET", "/adminapi/overview", { token: admin.token })).body).toMatchObject({
      late_jobs: [],
      jobs: { waiting: expect.any(Number) },
    });
  });
});

describe("PUT /adminapi/system/settings", () => {
  it("applies a changed time zone to the schedule", async () => {
    const release = await lockRelease();
    expect((await put("/adminapi/system/settings", { time_zone: "Asia/Tokyo" })).body).toMatchObject({
      time_zone: "Asia/Tokyo",
      site_name: expect.any(String),
    });
    expect(await inCron("fsgx_release_frozen_points")).toMatchObject({ schedule: "1 15 * * *" });
    await put("/adminapi/system/settings", { time_zone: "Asia/Shanghai" });
    await release.unlock();
    expect(await inCron("fsgx_release_frozen_points")).toMatchObject({ schedule: "1 16 * * *" });
  });

  it("gives the pages of members a logo and a colour, and takes the logo away again", async () => {
    const metadata = async () => (await call("GET", "/api/system/metadata")).body;
    expect(await metadata()).toMatchObject({ logo: null, colour: "#c8102e" });
    expect(
      (await put("/adminapi/system/settings", { logo: "https://shop.example.com/logo.svg", colour: "#0A7d5B" })).body,
    ).toMatchObject({
      logo: "https://shop.example.com/logo.svg",
      colour: "#0a7d5b",
    });
    expect(await metadata()).toMatchObject({ logo: "https://shop.example.com/logo.svg", colour: "#0a7d5b" });
    await put("/adminapi/system/settings", { logo: "", colour: "#c8102e" });
    expect(await metadata()).toMatchObject({ logo: null, colour: "#c8102e" });
  });

  it("gives members the contact of the store, and takes it away again", async () => {
    const contact = { contact_phone: "400-820-8820", contact_wechat: "tea_house", contact_hours: "9:00 to 18:00" };
    expect((await put("/adminapi/system/settings", contact)).body).toMatchObject(contact);
    expect((await call("GET", "/api/system/metadata")).body).toMatchObject(contact);
    await put("/adminapi/system/settings", { contact_phone: "", contact_wechat: "", contact_hours: "" });
    expect((await call("GET", "/api/system/metadata")).body).toMatchObject({
      contact_phone: null,
      contact_wechat: null,
      contact_hours: null,
    });
  });

  it("rejects invalid settings", async () => {
    for (const json of [
      { time_zone: "Mars/Olympus" },
      { h5_share_url: "javascript:alert(1)" },
      { site_name: "" },
      { max_unpaid_orders: 0 },
      { max_unpaid_orders: 1001 },
      { owner: "me" },
      { logo: "javascript:alert(1)" },
      { colour: "red" },
      { colour: "#12345" },
      { contact_phone: "javascript:alert(1)" },
    ]) {
      const { status, body } = await put("/adminapi/system/settings", json);
      expect(status).toBe(422);
      expect(body.errors[0]).toMatchObject({ in: "body", pointer: `/${Object.keys(json)[0]}` });
    }
  });
});
