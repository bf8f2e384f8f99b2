import { readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { en as consoleEn } from "../../apps/console/src/i18n/en/index.ts";
import { zh as consoleZh } from "../../apps/console/src/i18n/zh/index.ts";
import { ERRORS } from "../../functions/_shared/responses/error_codes.ts";
import { en as h5En } from "../../apps/shared/member_texts/en/index.ts";
import { zh as h5Zh } from "../../apps/shared/member_texts/zh/index.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { applyMigrations } from "../../scripts/postgres/migrations.ts";
import { migrationFiles } from "../../scripts/postgres/releases.ts";
import { run } from "../commands/run.ts";
import { type ClonedDatabase, cloneDatabase, connect } from "../support/index.ts";
import { migrate, migrationsUntil } from "./released_migrations.ts";

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const REFUSING = "20261127065339";
const sites = { consoleEn, consoleZh, h5En, h5Zh };

/**
 * Months as 1.0.0 has them: March of the bill and of the action log can be archived, April is compacted. A scheduler
 * without processes stands for pg_cron.
 */
const STORE_OF_1_0_0 = `
  call app.ensure_month_partitions('2025-03-01', '2025-04-30');
  select app.create_month_partition(t, date_trunc('month', now())::date) from unnest(app.monthly_tables()) as t;
  insert into auth.users (id, email, email_confirmed_at) values (gen_random_uuid(), 'member@example.com', now());
  insert into app.user_bill (uid, type, source, frozen_delta, brokerage_after, frozen_after, available_after, add_time)
  select u.uid, 'opening_balance', 'import', 5000, 0, 5000, 0, '2025-03-02' from app.users as u;
  update app.user_balances set frozen_points = 5000, total_points_earned = 5000;
  insert into app.admin_actions (function, target_type, to_value, add_time) values ('try_it', 'settings', '{}', '2025-03-05');
  select app.close_month('2025-03', null), app.close_month('2025-04', null);
  call app.record_reconcile();
  insert into app.month_seals (month, row_count, root, public_key, signature, sealed_at) select '2025-04-01', 0, sha256(''), sha256(''), sha256('') || sha256(''), now();
  call app.compact_month('2025-04-01');
  insert into app.job_runs (job, usual_batch, pid, started_at, ended_at) values ('archive_due_months', 1, 1, now(), now());
  insert into app.day_sums (day, begins_at, ends_at, orders, queue_orders, paid, refunded, queue_revenue, members, summed_at)
  values ('2025-03-02', '2025-03-02', '2025-03-03', 0, 0, 0, 0, 0, 0, '2025-03-05');
`;
const SCHEDULER = `
  create schema cron;
  create table cron.job (jobid bigint generated always as identity, jobname text, schedule text, command text, active boolean default true);
  insert into cron.job (jobname, schedule, command) values
    ('archive_due_months', '45 17 * * 6', 'call app.archive_due_months()'), ('archive_due_months:now', '* * * * *', 'call app.archive_due_months()'),
    ('compact_due_months', '15 20 * * *', 'call app.compact_due_months()');
  create function cron.unschedule(p_id bigint) returns boolean language sql as 'delete from cron.job where jobid = p_id returning true';
`;
/** As app.set_other_server names one. */
const OTHER_SERVER = `
  create server archive_server foreign data wrapper postgres_fdw options (host 'archive.internal', dbname 'old_months');
  create user mapping for public server archive_server options (user 'archivist', password 'old months');
  create foreign table archive.other_months (name text not null, columns text not null, indexes text[]) server archive_server options (schema_name 'archive', table_name 'months');
  create foreign table archive.other_unlimited (statement_timeout text) server archive_server options (schema_name 'archive', table_name 'unlimited');
`;

/** Whatever the catalogue still calls archived, and what the source of functions names. */
const leftovers = async (sql: postgres.Sql) =>
  (
    await sql<{ what: string }[]>`
      with names (what, name) as (
        select 'schema', nspname from pg_namespace
        union all select 'relation', c.relname from pg_class as c where c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        union all select 'type', t.typname from pg_type as t where t.typnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        union all
        select 'column', a.attname from pg_attribute as a join pg_class as c on c.oid = a.attrelid
        where c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        union all select 'constraint', conname from pg_constraint
        union all select 'trigger', tgname from pg_trigger
        union all select 'policy', policyname from pg_policies
        union all select 'function', p.proname || ' ' || p.prosrc from pg_proc as p where p.pronamespace::regnamespace::text in ('app', 'api', 'entry', 'report')
        union all select 'job', j.name || ' ' || j.command from app.scheduled_jobs as j
        union all select 'run', r.job from app.job_runs as r
        union all select 'manifest', concat_ws(' ', m.kind, m.name, m.definition) from app.manifest as m
      )
      select n.what || ' ' || left(n.name, 80) as what from names as n where n.name ~ 'archiv|hold_months|reach_months|other_server|fdw'
      union all select 'server ' || srvname from pg_foreign_server
      union all select 'mapping ' || usename from pg_user_mappings
      union all select 'foreign table ' || ftrelid::regclass from pg_foreign_table`
  ).map(({ what }) => what);

describe("a store of 1.0.0 with archived months", { concurrent: false }, () => {
  let clone: ClonedDatabase;
  let sql: postgres.Sql;
  beforeAll(async () => {
    clone = await cloneDatabase("platform");
    await migrate(clone.url, migrationsUntil("1.0.0"));
    sql = connect(clone.url);
    for (const statement of STORE_OF_1_0_0.split(";\n")) await sql.unsafe(statement);
    await sql`select app.archive_month('user_bill', '2025-03-01'), app.archive_month('admin_actions', '2025-03-01')`;
    await sql.unsafe("drop table archive.admin_actions_202503");
  });
  afterAll(async () => {
    await sql.end();
    await clone.drop();
  });

  const check = () => run("upgrade", ["--check"], { DATABASE_URL: clone.url, CI: "1" });
  const update = () =>
    migrate(
      clone.url,
      migrationFiles().filter((name) => name.slice(0, 14) <= REFUSING),
    );

  it.each([
    [
      "that are here",
      "select",
      "is archived",
      "2025-03 of app.user_bill are archived",
      "call app.attach_months('user_bill', '2025-03')",
    ],
    [
      "on another server",
      `${OTHER_SERVER} update app.archived_months set moved_at = now() where table_name = 'user_bill'`,
      "is on another server",
      "2025-03 of app.user_bill are on another server",
      "call app.bring_back_months('user_bill', '2025-03')",
    ],
    [
      "whose table was dropped",
      "update app.archived_months set moved_at = null; alter table archive.user_bill detach partition archive.user_bill_202503; alter table archive.user_bill_202503 set schema public",
      "was archived, and its table dropped",
      "2025-03 of app.user_bill are archived, and their tables are dropped",
      "the store cannot be updated",
    ],
  ])(
    "%s is refused, with the way back by its version, and nothing is changed",
    async (_case, change, refusal, finding, way) => {
      await sql.unsafe(change);
      const { code, output } = await check();
      expect([code, output]).toEqual([1, expect.stringContaining(finding)]);
      expect(output).toContain(way);
      const refused = await update().then(() => "updated", String);
      expect(refused).toContain(refusal);
      expect(refused).toContain(way);
      expect([
        ...(await sql`select to_regprocedure('app.archive_due_months()') is not null as archives, to_regclass('app.dropped_actions') as dropped`),
      ]).toEqual([{ archives: true, dropped: null }]);
    },
  );

  it("is updated once they are attached, keeps what is compacted and the months of the action log that were dropped, and nothing is left", async () => {
    await sql.unsafe("alter table public.user_bill_202503 set schema archive");
    await sql`select app.show_month('user_bill', '2025-03-01')`;
    await sql`call app.attach_months('user_bill', '2025-03')`;
    const [dropped] = await sql`select row_count, digest::text from app.archived_months`;
    expect(await check()).toMatchObject({ code: 0 });
    const bill = async () => [...(await sql`select b.* from app.bill('-infinity', 'infinity') as b order by b.id`)];
    const before = await bill();
    expect(before.length).toBeGreaterThan(0);

    await sql.unsafe(SCHEDULER);
    await update();
    expect([...(await sql`select jobname from cron.job`)]).toEqual([{ jobname: "compact_due_months" }]);
    await sql.unsafe("drop schema cron cascade");
    await applyMigrations(clone.url, "A released migration is never edited.");

    expect(await leftovers(sql)).toEqual([]);
    expect([...(await sql`select month::text, row_count, digest from app.dropped_actions`)]).toEqual([
      { month: "2025-03-01", ...dropped },
    ]);
    expect([...(await sql`select app.actions_dropped_until() at time zone 'UTC' as until`)]).toEqual([
      { until: new Date("2025-04-01") },
    ]);
    const [originals] = await sql`
      select array_agg(distinct c.relname::text order by c.relname::text) as tables, array_agg(distinct t.tgname::text) as triggers
      from pg_class as c join pg_trigger as t on t.tgrelid = c.oid and t.tgtype & 1 = 1 and not t.tgisinternal where c.relnamespace = 'compacted'::regnamespace`;
    expect(originals).toEqual({
      tables: ["points_release_log_202504_original", "user_bill_202504_original"],
      triggers: ["originals_are_never_changed"],
    });
    expect(await bill()).toEqual(before);
    await sql`call app.expand_month('2025-04-01')`;
    expect(await bill()).toEqual(before);
    expect([
      ...(await sql`select relname from pg_class where relnamespace = 'compacted'::regnamespace and relkind = 'r'`),
    ]).toEqual([]);
    expect([...(await sql`select * from app.manifest_differences()`)]).toEqual([]);
    expect([...(await sql`select check_name from app.reconcile()`)]).toEqual([]);
    expect([...(await sql`select day from app.day_sums`)]).toEqual([]);
  });
});

it("no error code, route, field, command or text of the sites is about archived months", () => {
  const documents = [
    "functions/api/openapi.json",
    "functions/adminapi/openapi.json",
    "functions/mcp/tools.ts",
    "package.json",
  ];
  const texts = {
    ...Object.fromEntries(documents.map((path) => [path, readFileSync(join(projectRoot, path), "utf8")])),
    ERRORS,
    ...sites,
  };
  const about = /archiv|归档|month_unavailable|hold_months|reach_months/i;
  expect(Object.entries(texts).flatMap(([name, text]) => (about.test(JSON.stringify(text)) ? [name] : []))).toEqual([]);
});
