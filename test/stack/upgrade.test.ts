import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { brotliDecompressSync } from "node:zlib";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isServed } from "../../functions/_shared/database/schema.ts";
import { transactionFinding, versionOfHistory } from "../../scripts/deploy/upgrade_findings.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { projectVersion } from "../../scripts/ground/project_version.ts";
import { type Release, releases, unreleasedMigrations } from "../../scripts/postgres/releases.ts";
import { run } from "../commands/run.ts";
import { lacking, testContext } from "../../scripts/testing/context.ts";
import { type ClonedDatabase, cloneDatabase, connect, skipFor } from "../support/index.ts";
import { migrate, migrationsUntil } from "./released_migrations.ts";

// A store of 0.9.0 from its dump, and one that was updated to a later release, are updated to the state of this folder.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const psql = () => join(testContext().clientPrograms!, "psql");
/** What differs because the dump was not made today: no day was released since, and no scheduler runs here. */
const OF_TIME = ["release_day_has_come", "no_row_is_from_the_future"];

/** Creates a database from the dump. */
async function restore(): Promise<ClonedDatabase> {
  const clone = await cloneDatabase("platform");
  const child = spawn(psql(), ["--quiet", "--set=ON_ERROR_STOP=1", "--dbname", clone.url], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(brotliDecompressSync(readFileSync(join(import.meta.dirname, "store_of_0.9.0.sql.br"))));
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect([code, errors]).toEqual([0, ""]);
  const sql = connect(clone.url);
  await sql`select app.create_month_partition(t, date_trunc('month', now())::date) from unnest(app.monthly_tables()) as t`;
  await sql.end();
  return clone;
}

const upgrade = (clone: ClonedDatabase, ...args: string[]) =>
  run("upgrade", args, { DATABASE_URL: clone.url, CI: "1" });

/** What the update must not change: the bill until a row, and what each member has beside later rows. */
async function figures(sql: postgres.Sql, lastBill: string) {
  const [bill] = await sql`
    select count(*) as rows, sum(b.brokerage_delta) as commission, sum(b.frozen_delta) as frozen, sum(b.available_delta) as available
    from app.user_bill as b where b.id <= ${lastBill}`;
  const balances = await sql`
    select u.uid, u.brokerage_price - coalesce(sum(b.brokerage_delta), 0) as commission, u.frozen_points - coalesce(sum(b.frozen_delta), 0) as frozen,
      u.available_points - coalesce(sum(b.available_delta), 0) as available
    from app.user_balances as u
    left join app.user_bill as b on b.uid = u.uid and b.id > ${lastBill}
    where u.uid in (select e.uid from app.user_bill as e where e.id <= ${lastBill})
    group by u.uid order by u.uid`;
  return { bill: { ...bill }, balances: balances.map((row) => ({ ...row })) };
}

const findings = async (sql: postgres.Sql) => [
  ...(await sql`select * from app.reconcile() where not check_name = any (${OF_TIME})`),
];

/** SQLSTATEs after which the edge functions of 0.9.0 repeat a statement: the transaction was rolled back. */
const REPEATED = ["40001", "40P01", "42804", "0A000", "55P03"];

/** Members who order, pay, are settled and read, by the statements of the edge functions of 0.9.0. */
function startWorkload(url: string, members: { uid: number; auth_id: string }[], product: string) {
  let isRunning = true;
  let orders = 0;
  const unexpected: unknown[] = [];
  async function repeat(sql: postgres.Sql, statement: string, values: string[]): Promise<unknown> {
    for (;;) {
      try {
        return JSON.parse((await sql.unsafe<{ result: string }[]>(statement, values))[0]!.result);
      } catch (error) {
        if (!REPEATED.includes((error as { code?: string }).code ?? "")) throw error;
      }
    }
  }
  const work = members.map(async ({ auth_id }) => {
    const sql = connect(url, { fetch_types: false, prepare: false });
    const claims = JSON.stringify({ sub: auth_id, role: "authenticated" });
    const asCaller = (name: string, args: object) =>
      repeat(sql, "select app.as_caller($1::text::jsonb, $2, $3::text::jsonb, null, null)::text as result", [
        claims,
        name,
        JSON.stringify(args),
      ]);
    const asService = (name: string, args: object) =>
      repeat(sql, "select app.as_service($1, $2::text::jsonb)::text as result", [name, JSON.stringify(args)]);
    try {
      while (isRunning) {
        const order = (await asCaller("create_order", { p_items: [{ product_id: Number(product), quantity: 1 }] })) as {
          order_no: string;
          pay_price: string;
        };
        const paid = await asService("record_payment_notification", {
          p_provider: "wechat",
          p_event_id: order.order_no,
          p_kind: "payment",
          p_order_no: order.order_no,
          p_pay_ref: order.order_no,
          p_amount_minor: Math.round(Number(order.pay_price) * 100),
          p_currency: "CNY",
        });
        if ((paid as { outcome: string }).outcome !== "paid") throw new Error(JSON.stringify(paid));
        await asService("lead_settlement", {});
        await repeat(
          sql,
          "select entry.get_assets_overview($1, 'authenticated', null, $2::text::jsonb)::text as result",
          [claims, "{}"],
        );
        orders += 1;
        await pause(20);
      }
    } catch (error) {
      unexpected.push(error);
    } finally {
      await sql.end();
    }
  });
  return {
    orders: () => orders,
    unexpected,
    stop: async () => {
      isRunning = false;
      await Promise.all(work);
    },
  };
}

/** Updates a store while it is used. No call fails, every figure stays, and the books agree before and after. */
async function updateUnderLoad(clone: ClonedDatabase, sql: postgres.Sql): Promise<void> {
  const members = await sql<{ uid: number; auth_id: string }[]>`
    select u.uid::integer, u.auth_id from app.users as u join app.user_bill as b on b.uid = u.uid
    where u.spread_uid is not null and u.auth_id is not null group by u.uid order by count(*) desc, u.uid limit 4`;
  const [product] = await sql`
    update app.products set stock = null where id = (select min(id) from app.products where is_queue_goods and is_show) returning id`;
  await sql`update app.settings set orders_per_hour = 100000`;
  const [{ last }] = (await sql`select max(id) as last from app.user_bill`) as unknown as [{ last: string }];
  const before = await figures(sql, last);
  expect(before.balances.length).toBeGreaterThan(200);
  expect(await findings(sql)).toEqual([]);
  const workload = startWorkload(clone.url, members, product!.id as string);
  await expect.poll(() => [workload.orders() > 4, workload.unexpected]).toEqual([true, []]);

  const { code, output } = await upgrade(clone, "--yes");
  expect([code, output]).toEqual([0, expect.stringContaining("The database is up to date")]);

  const during = workload.orders();
  await expect.poll(() => [workload.orders() > during + 4, workload.unexpected]).toEqual([true, []]);
  await workload.stop();
  expect(workload.unexpected).toEqual([]);
  await sql`call app.drain_settlement_jobs()`;
  expect(await figures(sql, last)).toEqual(before);
  expect(await findings(sql)).toEqual([]);
  expect([...(await sql`select * from app.manifest_differences()`)]).toEqual([]);
  const [{ version }] = (await sql`select app.schema_version() as version`) as unknown as [{ version: string }];
  expect(isServed(version)).toBe(true);
  expect(await upgrade(clone, "--check")).toMatchObject({
    code: 0,
    output: expect.stringContaining(`the database has ${projectVersion()}`) as string,
  });
}

/** The releases between 0.9.0 and this version. */
const between = releases()
  .slice(1)
  .map(({ version }) => version)
  .filter((version) => version !== projectVersion());

skipFor(describe, lacking("pg_dump"))("a store of 0.9.0", { concurrent: false }, () => {
  let clone: ClonedDatabase;
  let sql: postgres.Sql;
  beforeAll(async () => {
    clone = await restore();
    sql = connect(clone.url);
  });
  afterAll(async () => {
    await sql.end();
    await clone.drop();
  });
  const isUpdated = async () =>
    (await sql`select to_regprocedure('app.schema_version()') is not null as done`)[0]!.done as boolean;

  it("is told what the update would do, and nothing is changed", async () => {
    const { code, output } = await upgrade(clone, "--check");
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(`from 0.9.0 to ${projectVersion()}, which is supported`),
    ]);
    expect(output).toMatch(/to be applied: 2026\d+/);
    expect(output.includes(`${projectVersion()} is not released`)).toBe(unreleasedMigrations().length > 0);
    expect(await isUpdated()).toBe(false);
    // Without a terminal and without --yes, nothing begins.
    expect(await upgrade(clone)).toMatchObject({ code: 2 });
    expect(await isUpdated()).toBe(false);
  });

  it.each([
    [
      "an unknown migration",
      "update supabase_migrations.schema_migrations set version = '20261120000300' where version = '20261120000200'",
      /does not know: 1 of its 3/,
    ],
    [
      "an edited one",
      "update supabase_migrations.schema_migrations set statements = statements || array['select 1'] where version = '20261120000100'",
      /does not know: 20261120000100 has changed/,
    ],
    [
      "no store",
      "delete from supabase_migrations.schema_migrations",
      /is of something else: it has the schemas api, app/,
    ],
  ])("with %s is refused with a sentence, and nothing is changed", async (_case, change, sentence) => {
    await sql.unsafe(`create table public.kept as select * from supabase_migrations.schema_migrations; ${change}`);
    for (const args of [["--check"], ["--yes"]])
      expect(await upgrade(clone, ...args)).toMatchObject({
        code: 1,
        output: expect.stringMatching(sentence) as string,
      });
    await sql.unsafe(
      "truncate supabase_migrations.schema_migrations; insert into supabase_migrations.schema_migrations select * from public.kept; drop table public.kept",
    );
    expect(await isUpdated()).toBe(false);
  });

  // Guarantee operation/update-killed: An update that is killed leaves nothing half done, and goes on
  // By: one transaction for each migration, scripts/commands/upgrade.ts
  it("whose update is killed in the middle is as before, and the next one goes on", async () => {
    await sql.unsafe(`
      create function public.sleep() returns trigger language plpgsql as $$ begin perform pg_sleep(600); return null; end $$;
      create trigger obstacle before insert on app.manifest for each statement execute function public.sleep()`);
    const child = spawn(
      process.execPath,
      [join(projectRoot, "scripts/bootstrap.mjs"), "commands/upgrade.ts", "--yes"],
      {
        env: { ...process.env, DATABASE_URL: clone.url, STORE_TEST_CONTEXT: undefined, NO_COLOR: "1", CI: "1" },
        detached: true,
        stdio: "ignore",
      },
    );
    const inTheMiddle = async () =>
      (
        await sql<
          { pid: number }[]
        >`select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
      )[0]?.pid;
    await expect.poll(inTheMiddle).toBeDefined();
    process.kill(-child.pid!, "SIGKILL");
    await sql`select pg_terminate_backend(${(await inTheMiddle())!}, 10000)`;
    expect(await isUpdated()).toBe(false);
    expect(await sql`select from supabase_migrations.schema_migrations`).toHaveLength(3);
    await sql.unsafe("drop trigger obstacle on app.manifest; drop function public.sleep()");
  });

  // Guarantee operation/update-in-use: A store of 0.9.0 is updated in use: its functions are served, no figure changes,
  // the books agree
  // By: the migrations of each version, `npm run upgrade`
  it("is updated under load: calls of 0.9.0 are answered all the time, every figure stays, and the books agree", () =>
    updateUnderLoad(clone, sql));

  it.each(between)("that was updated to %s before is updated further under load", async (version) => {
    const other = await restore();
    const connection = connect(other.url);
    try {
      await migrate(other.url, migrationsUntil(version));
      expect((await upgrade(other, "--check")).code).toBe(0);
      await updateUnderLoad(other, connection);
    } finally {
      await connection.end();
      await other.drop();
    }
  });

  it("has to wait for long transactions, which are named", async () => {
    const holder = connect(clone.url);
    await holder.unsafe("begin; select from app.orders limit 1");
    expect(await transactionFinding(sql, "0 seconds")).toMatchObject({
      severity: "error",
      message: expect.stringMatching(
        /a migration would wait for process \d+ of postgres \(idle in transaction\) since/,
      ) as string,
    });
    expect(await transactionFinding(sql)).toMatchObject({ severity: "ok" });
    await holder.end();
  });
});

it.each([
  ["nothing", [], undefined, false],
  ["a part of the first release", ["1"], undefined, true],
  ["the first release", ["1", "2"], "0.1.0", false],
  ["more than that", ["1", "2", "3"], "0.1.0", true],
  ["the second one, which the third one follows without migrations", ["1", "2", "3", "4"], "0.3.0", false],
])("the version of a database with %s is found", (_case, applied, version, isBeyond) => {
  const released: Release[] = [
    { version: "0.1.0", migrations: { "1_a.sql": "", "2_b.sql": "" } },
    { version: "0.2.0", migrations: { "3_c.sql": "", "4_d.sql": "" } },
    { version: "0.3.0", migrations: {} },
  ];
  expect(versionOfHistory(applied, released)).toEqual({ version, isBeyond });
});
