import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startNewDatabase } from "../../scripts/postgres/database.ts";
import { superuserUrl, withConnection } from "../../scripts/postgres/database_server.ts";
import { embeddedInstall } from "../../scripts/postgres/embedded.ts";
import { StackPlace } from "../../scripts/ground/paths.ts";
import { freePort } from "../../scripts/ground/ports.ts";
import { Running } from "../../scripts/ground/running.ts";
import { readStackFile } from "../../scripts/ground/stack_file.ts";
import { run } from "../commands/run.ts";
import { connect, skipFor } from "../support/index.ts";
import { barePath } from "./bare_path.ts";
import { type CommandPlace, newCommandPlace } from "../../scripts/testing/command.ts";

let at: CommandPlace;
let bare: ReturnType<typeof barePath>;
let beside: Promise<StoreOfDatabaseUrl> | undefined;
beforeAll(async () => {
  at = await newCommandPlace();
  bare = barePath();
});
afterAll(async () => {
  await (await beside?.catch(() => undefined))?.stop();
  await at.run("stop");
  await at.remove();
  bare.remove();
});

const lacksEmbedded = embeddedInstall() === undefined ? "npm has no Postgres for this machine" : undefined;

interface StoreOfDatabaseUrl {
  place: CommandPlace;
  code: number;
  output: string;
  stop(): Promise<void>;
}

/** Starts a store on a server of DATABASE_URL that has no pg_cron. */
async function startStoreOfDatabaseUrl(): Promise<StoreOfDatabaseUrl> {
  const running = new Running();
  const place = await newCommandPlace();
  const stop = async () => {
    await place.run("stop");
    await running.stop();
    await place.remove();
  };
  try {
    mkdirSync(place.place.logs, { recursive: true });
    const data = new StackPlace(join(place.place.directory, "server"));
    const { server } = await startNewDatabase(data, embeddedInstall()!, await freePort(), running);
    await withConnection(superuserUrl(server, "postgres"), (sql) => sql.unsafe("create database store"));
    place.environment.DATABASE_URL = superuserUrl(server, "store");
    return { place, ...(await place.run("start", "--no-demo", "--detach")), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

// The tests run in order. Each starts from the state that the previous one left.
skipFor(describe, lacksEmbedded)(
  "npm start on a machine where Debian's packages cannot be installed",
  { concurrent: false },
  () => {
    it("uses the embedded Postgres of npm, and says why and what runs the scheduled jobs", async () => {
      Object.assign(at.environment, { PATH: bare.path, STORE_POSTGRES: "" });
      const { code, output } = await at.run("start", "--no-demo", "--detach");
      expect(code, output).toBe(0);
      expect(output).toMatch(/Postgres 17 of npm is used, because .+ It has no pg_cron\./);
      expect(output).toContain("✓ Scheduled jobs, run by this process in place of pg_cron");
      const sql = connect(readStackFile(at.place)!.database_url);
      const [server] =
        await sql`select current_setting('server_version_num')::integer / 10000 as major, datcollate, exists (select from pg_extension where extname = 'pg_cron') as has_pg_cron from pg_database where datname = current_database()`;
      await sql.end();
      expect(server).toMatchObject({ major: 17, has_pg_cron: false });
    });

    it("runs the jobs that are due every minute, and the store finds its schedule healthy", async () => {
      // The store of the last test waits for its first minute at the same time.
      beside = startStoreOfDatabaseUrl();
      beside.catch(() => undefined);
      const { database_url, functions_url } = readStackFile(at.place)!;
      const sql = connect(database_url);
      const everyMinute =
        await sql`select name from app.scheduled_jobs where is_active and schedule = '* * * * *' order by name`;
      const succeeded = () => sql`
      select distinct j.jobname as name from cron.job_run_details as d join cron.job as j using (jobid) where d.status = 'succeeded' and j.schedule = '* * * * *' order by name`;
      await vi.waitFor(async () => expect(await succeeded()).toEqual(everyMinute), { interval: 500 });
      await sql.end();
      expect(everyMinute.length).toBeGreaterThan(3);
      expect(await (await fetch(`${functions_url}/api/health`)).json()).toMatchObject({
        status: "ok",
        scheduler: "ok",
      });
      const check = await run("verify_agent_config", [], { DATABASE_URL: database_url });
      expect(check.output).toMatch(/0 errors/);
      expect(check.code).toBe(0);
    });

    it("keeps using it for its data, and rejects another server for them", async () => {
      await at.run("stop");
      Object.assign(at.environment, { PATH: process.env.PATH });
      const again = await at.run("start", "--no-demo", "--detach");
      expect([again.code, again.output]).toEqual([0, expect.stringContaining("because it created the existing data")]);
      await at.run("stop");
      at.environment.STORE_POSTGRES = "installed";
      const failed = await at.run("start", "--no-demo", "--detach");
      expect(failed.code, failed.output).toBe(1);
      expect(failed.output).toMatch(
        /created by Postgres 17 \(embedded Postgres\)|No Postgres 15 or newer with pg_cron/,
      );
      expect(readFileSync(at.place.stateFile, "utf8")).toContain('"postgres": "embedded"');
    });
  },
);

describe("STORE_POSTGRES", () => {
  it("that demands an installed Postgres never uses the embedded one", async () => {
    const elsewhere = await newCommandPlace();
    Object.assign(elsewhere.environment, { PATH: bare.path, STORE_POSTGRES: "installed" });
    const { code, output } = await elsewhere.run("start", "--no-demo");
    await elsewhere.remove();
    expect(code, output).toBe(1);
    expect(output).toMatch(/No Postgres 15 or newer with pg_cron|apt-get update failed/);
    expect(output).not.toMatch(/of npm is used|Unexpected error/);
  });

  it("with an unknown value is rejected", async () => {
    const elsewhere = await newCommandPlace();
    elsewhere.environment.STORE_POSTGRES = "mysql";
    const { code, output } = await elsewhere.run("start", "--no-demo");
    await elsewhere.remove();
    expect([code, output]).toEqual([
      1,
      expect.stringContaining("STORE_POSTGRES=mysql is not a kind of Postgres server"),
    ]);
  });
});

skipFor(describe, lacksEmbedded)("npm start with a server of DATABASE_URL that has no pg_cron", () => {
  it("runs the scheduled jobs itself, and the store finds a scheduler", async () => {
    beside ??= startStoreOfDatabaseUrl();
    const { place, code, output } = await beside;
    expect(code, output).toBe(0);
    expect(output).toContain("✓ Scheduled jobs, run by this process in place of pg_cron");
    expect(output).not.toContain("NO SCHEDULED JOB RUNS");
    const { database_url, functions_url } = readStackFile(place.place)!;
    const sql = connect(database_url);
    await vi.waitFor(
      async () =>
        expect(
          await sql`select from cron.job_run_details as d join cron.job as j using (jobid) where j.jobname = 'settle_waiting_orders' and d.status = 'succeeded'`,
        ).not.toHaveLength(0),
      { interval: 500 },
    );
    await sql.end();
    expect(await (await fetch(`${functions_url}/api/health`)).json()).toMatchObject({ scheduler: "ok" });
  });
});
