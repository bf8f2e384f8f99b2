import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cloneDatabase, type ClonedDatabase, connect } from "../support/index.ts";

type Sql = ReturnType<typeof connect>;

/** Supabase's limit is two minutes for every role. */
const LIMIT_MS = 2000;
const MEMBERS = 264;
const QUERY_CANCELED = "57014";

let clone: ClonedDatabase;
let sql: Sql;

const scheduled = async (job: string) =>
  String((await sql`select command from app.scheduled_jobs where name = ${job}`)[0]?.command);

/** Runs the command of a scheduled job as pg_cron does: in a session of its own, with the time limit. */
async function runJob(job: string): Promise<"ended" | "cut"> {
  const session = connect(clone.url, { connection: { statement_timeout: LIMIT_MS } });
  try {
    await session.unsafe(await scheduled(job));
    return "ended";
  } catch (error) {
    if ((error as { code?: string }).code === QUERY_CANCELED) return "cut";
    throw error;
  } finally {
    await session.end();
  }
}

const unfinished = async () => (await sql`select job from app.unfinished_runs()`).map(({ job }) => String(job));
const runs = (job: string) =>
  sql`select batches, halvings, ended_at, cut_at, completed_at from app.job_runs where job = ${job} order by id`;

/** Makes each row of a table take some time, so that little data exceeds the limit. */
async function slowDown(trigger: string, milliseconds: number): Promise<{ stop(): Promise<unknown> }> {
  const table = trigger.match(/ on (\S+)/)![1]!;
  await sql.unsafe(`create trigger slow ${trigger} execute function public.take_time(${milliseconds})`);
  return { stop: () => sql.unsafe(`drop trigger slow on ${table}`) };
}

/** Members in chains of twelve, each with an own order. */
const fill = `
  do $$
  declare v_account uuid; v_uid bigint; v_product bigint;
  begin
    insert into app.products (title, price, is_queue_goods) values ('Flagship', 3600, true) returning id into v_product;
    for k in 1..${MEMBERS} loop
      v_account := gen_random_uuid();
      insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data)
      values (now(), v_account, v_account || '@example.com', jsonb_build_object('spread', case when k % 12 <> 1 then v_uid end));
      select u.uid into v_uid from app.users as u where u.auth_id = v_account;
      perform public.buy(v_uid, true);
    end loop;
  end $$`;

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  await sql.unsafe(`
    create function public.take_time() returns trigger language plpgsql as $$
      begin perform pg_sleep(tg_argv[0]::numeric / 1000); return case tg_op when 'DELETE' then old else new end; end $$;
    create function public.buy(p_uid bigint, p_pays boolean) returns bigint language plpgsql as $$
      declare v_order bigint := (app.create_order(
        p_uid, jsonb_build_array(jsonb_build_object('product_id', (select max(p.id) from app.products as p), 'quantity', 1)), clock_timestamp()
      )).id;
      begin
        if p_pays then perform app.pay_order(v_order, 'test', 'test-' || v_order, clock_timestamp()); end if;
        return v_order;
      end $$`);
  await sql.unsafe(fill);
  await sql`update app.settings set lifecycle_from = now() - interval '60 days'`;
  await sql`call app.drain_settlement_jobs()`;
  await sql`call app.sum_team_totals()`;
});
afterAll(async () => {
  await sql.end();
  await clone.drop();
});

interface Job {
  name: string;
  prepare?: string;
  /** Slows down what the job writes. */
  trigger: string;
  milliseconds: number;
  /** Counts what is left to do. */
  left: string;
  /** Whether a batch has several rows, so that it can get smaller. */
  hasBatches: boolean;
}

const jobs: Job[] = [
  {
    name: "settle_waiting_orders",
    prepare: "select public.buy(u.uid, true) from app.users as u order by u.uid limit 45",
    trigger: "before insert on app.settlements for each row",
    milliseconds: 60,
    left: "select count(*) from app.settlement_jobs",
    hasBatches: true,
  },
  {
    name: "fsgx_release_frozen_points",
    trigger: "before insert on app.points_release_log for each row",
    milliseconds: 12,
    left: "select cardinality(app.release_candidates(app.business_day(now()), 0, 1000))",
    hasBatches: true,
  },
  {
    name: "expire_orders",
    prepare:
      "select public.buy(u.uid, false) from app.users as u order by u.uid limit 25; update app.orders set add_time = now() - interval '30 days' where state = 'unpaid'",
    trigger: "before update on app.orders for each row when (new.state = 'cancelled')",
    milliseconds: 120,
    left: "select count(*) from app.orders where state = 'unpaid'",
    hasBatches: false,
  },
  {
    name: "receive_delivered_orders",
    prepare: `update app.orders set state = 'delivered', delivered_at = now() - interval '30 days' where id in (select o.id from app.orders as o where o.state = 'paid' order by o.id limit 25)`,
    trigger: "before update on app.orders for each row when (new.state = 'received')",
    milliseconds: 120,
    left: "select count(*) from app.orders where state = 'delivered'",
    hasBatches: false,
  },
  {
    name: "delete_due_accounts",
    prepare: `insert into auth.users (id, email, email_confirmed_at) select gen_random_uuid(), gen_random_uuid() || '@example.com', now() from generate_series(1, 25);
      insert into app.account_deletions (uid, auth_id, asked_at, due_at, brokerage, frozen_points, available_points)
      select u.uid, u.auth_id, now() - interval '8 days', now() - interval '1 day', 0, 0, 0 from app.users as u order by u.uid desc limit 25`,
    trigger: "before update on app.account_deletions for each row when (new.auth_id is null)",
    milliseconds: 120,
    left: "select count(*) from app.account_deletions where auth_id is not null",
    hasBatches: false,
  },
  {
    name: "sum_team_totals",
    prepare: "insert into app.team_changes (uid) select u.uid from app.users as u",
    trigger: "before delete on app.team_changes for each row",
    milliseconds: 12,
    left: "select count(*) from app.team_changes",
    hasBatches: true,
  },
  {
    name: "forget_idempotency_keys",
    prepare: `insert into app.idempotency_keys (auth_id, role, key, fingerprint, response, created_at)
      select gen_random_uuid(), 'authenticated', 'key', '', '{}', now() - interval '2 days' from generate_series(1, 250)`,
    trigger: "before delete on app.idempotency_keys for each row",
    milliseconds: 12,
    left: "select count(*) from app.idempotency_keys",
    hasBatches: true,
  },
];

describe("a job whose command is cut by a statement_timeout", () => {
  // Guarantee faults/cut-runs: A run that is cut continues where it stopped
  // By: progress is committed with each batch, app.end_batch, and the job called again, app.continue_unfinished_runs
  it.each(jobs)(
    "keeps its progress, is recorded as cut by the next run, and is completed by continue_unfinished_runs: $name",
    async (job) => {
      if (job.prepare) await sql.unsafe(job.prepare);
      const left = async () => Number(Object.values((await sql.unsafe(job.left))[0]!)[0]);
      const atFirst = await left();
      const slow = await slowDown(job.trigger, job.milliseconds);
      expect(await runJob(job.name)).toBe("cut");
      if (!job.hasBatches) expect(await left()).toBeLessThan(atFirst);

      const counts = [];
      for (let times = 0; times < 12 && (counts.at(-1) ?? 1) > 0; times++) {
        await runJob("continue_unfinished_runs");
        counts.push(await left());
      }
      await slow.stop();
      // A run that is cut while it looks whether more is left has completed everything but is not known to have.
      await runJob("continue_unfinished_runs");
      expect(counts, "no run loses what another has committed").toEqual([...counts].sort((one, other) => other - one));
      expect(counts.at(-1)).toBe(0);
      expect(await unfinished()).toEqual([]);
      const [first, ...later] = (await runs(job.name))
        .slice(-counts.length - 2)
        .filter((run) => run.cut_at ?? run.ended_at);
      const all = [first!, ...later];
      expect(all.filter((run) => run.cut_at).length).toBeGreaterThan(0);
      expect(all.filter((run) => run.cut_at && !run.completed_at)).toEqual([]);
      if (job.hasBatches) expect(Math.max(...all.map((run) => Number(run.halvings)))).toBeGreaterThan(0);
      expect(await sql`select * from app.reconcile()`).toHaveLength(0);
    },
  );

  it("shows in the record of the release how often its day was cut", async () => {
    const [day] =
      await sql`select cuts, failures, finished_at is not null as is_finished from app.release_runs where release_date = app.business_day(now())`;
    expect(day).toMatchObject({ failures: 0, is_finished: true });
    expect(day?.cuts).toBeGreaterThan(0);
  });

  it("is the nightly reconciliation: it is continued check by check and member by member, and has the findings of a run that was not cut", async () => {
    await sql.unsafe(`
      update app.user_balances set available_points = available_points + 1 where uid = (select max(b.uid) from app.user_balances as b);
      alter function app.grant_amount(text, numeric, numeric) rename to quick_grant_amount;
      create function app.grant_amount(text, numeric, numeric) returns numeric language plpgsql as
        $$ begin perform pg_sleep(0.005); return app.quick_grant_amount($1, $2, $3); end $$`);
    expect(await runJob("reconcile_bill")).toBe("cut");
    expect((await sql`select finished_at from app.reconcile_runs`)[0]).toEqual({ finished_at: null });
    for (let times = 0; times < 25 && (await runJob("continue_unfinished_runs")) === "cut"; times++);
    expect(await unfinished()).toEqual([]);
    const [run, ...others] =
      await sql`select cuts, findings, sample, finished_at is not null as is_finished from app.reconcile_runs`;
    expect(others).toEqual([]);
    expect(run).toMatchObject({ is_finished: true });
    expect(run?.cuts).toBeGreaterThan(0);
    const wanted = await sql`select * from app.reconcile()`;
    expect(run?.findings).toBe(wanted.length);
    expect(run?.sample).toEqual(expect.arrayContaining([...wanted]));
    expect(wanted.length).toBeGreaterThan(0);
    expect(
      (await sql`select max(halvings) as halvings from app.job_runs where job = 'reconcile_bill'`)[0]?.halvings,
    ).toBeGreaterThan(0);
    await sql.unsafe(`
      drop function app.grant_amount(text, numeric, numeric);
      alter function app.quick_grant_amount(text, numeric, numeric) rename to grant_amount;
      update app.user_balances set available_points = available_points - 1 where uid = (select max(b.uid) from app.user_balances as b)`);
    await sql`call app.record_reconcile()`;
    expect(await sql`select id from app.reconcile_runs where finished_at is not null and findings = 0`).toHaveLength(1);
  });

  it("does not keep other jobs from being continued, even if it can never end", async () => {
    const endless = jobs.find(({ name }) => name === "sum_team_totals")!;
    const other = jobs.find(({ name }) => name === "forget_idempotency_keys")!;
    for (const job of [endless, other]) {
      await sql.unsafe(job.prepare!);
      const slow = await slowDown(job.trigger, LIMIT_MS + 1000);
      expect(await runJob(job.name)).toBe("cut");
      if (job === other) await slow.stop();
    }
    for (let times = 0; times < 3; times++) await runJob("continue_unfinished_runs");
    expect(await unfinished()).toEqual([endless.name]);
    await sql`drop trigger slow on app.team_changes`;
    expect(await runJob("continue_unfinished_runs")).toBe("ended");
    expect(await unfinished()).toEqual([]);
  });

  it("is continued for the day that it named alone", async () => {
    // A daily run would also release the days that were missed since then.
    await sql`insert into app.release_runs (release_date, started_at, finished_at) select app.business_day(now()) - 5, now(), now()`;
    const days = () =>
      sql`select r.release_date - app.business_day(now()) as day, r.is_named_only, r.finished_at is not null as is_finished from app.release_runs as r order by 1`;
    const before = await days();
    const slow = await slowDown("before update on app.release_runs for each row", LIMIT_MS + 1000);
    const session = connect(clone.url, { connection: { statement_timeout: LIMIT_MS } });
    await expect(session`call app.release_frozen_points(app.business_day(now()) - 3)`).rejects.toMatchObject({
      code: QUERY_CANCELED,
    });
    await session.end();
    await slow.stop();
    expect(await runJob("continue_unfinished_runs")).toBe("ended");
    expect(await unfinished()).toEqual([]);
    expect((await days()).filter(({ day }) => !before.some((known) => known.day === day))).toEqual([
      { day: -3, is_named_only: true, is_finished: true },
    ]);
  });

  it("is not continued while the job is switched off", async () => {
    const job = jobs.find(({ name }) => name === "forget_idempotency_keys")!;
    const left = async () => Number(Object.values((await sql.unsafe(job.left))[0]!)[0]);
    await sql.unsafe(job.prepare!);
    const slow = await slowDown(job.trigger, LIMIT_MS + 1000);
    expect(await runJob(job.name)).toBe("cut");
    await slow.stop();
    await sql`update app.scheduled_jobs set is_active = false where name = ${job.name}`;
    expect(await runJob("continue_unfinished_runs")).toBe("ended");
    expect(await left()).toBe(250);
    await sql`update app.scheduled_jobs set is_active = true where name = ${job.name}`;
    expect(await runJob("continue_unfinished_runs")).toBe("ended");
    expect(await left()).toBe(0);
  });

  it("has batches of the usual size again in the same run, once its batches are quick", async () => {
    const job = jobs.find(({ name }) => name === "sum_team_totals")!;
    const latest = async () => Number((await runs(job.name)).at(-1)?.halvings);
    await sql.unsafe(job.prepare!);
    await sql`delete from app.job_runs where job = ${job.name}`;
    const slow = await slowDown(job.trigger, 300);
    for (
      let times = 0;
      times < 12 && (await runJob(job.name)) === "cut" && Number((await runs(job.name)).at(-1)?.batches) === 0;
      times++
    );
    await slow.stop();
    expect(await latest(), "a batch that fits into two seconds has four rows or less").toBeGreaterThanOrEqual(8);
    await sql.unsafe(job.prepare!);
    expect(await runJob(job.name)).toBe("ended");
    expect(await latest()).toBeLessThanOrEqual(1);
  });

  it("is not recorded as cut while it runs", async () => {
    const [holder, runner] = [connect(clone.url), connect(clone.url)];
    await holder`begin`;
    await holder`select from app.user_balances order by uid for update`;
    const release = runner`call app.release_frozen_points(null, now() + interval '1 day')`.then(() => "ended");
    while (
      !(
        await sql`select from app.job_runs where job = 'fsgx_release_frozen_points' and ended_at is null and cut_at is null and batches > 0`
      ).length
    );
    await sql`call app.continue_unfinished_runs()`;
    expect((await runs("fsgx_release_frozen_points")).at(-1)).toMatchObject({ cut_at: null, ended_at: null });
    await holder`rollback`;
    expect(await release).toBe("ended");
    expect((await runs("fsgx_release_frozen_points")).at(-1)).toMatchObject({
      cut_at: null,
      ended_at: expect.any(Date),
    });
    await Promise.all([holder.end(), runner.end()]);
  });

  it("is not taken for cut by a session that looked before the run began", async () => {
    const [holder, runner, observer] = [connect(clone.url), connect(clone.url), connect(clone.url)];
    await holder`begin`;
    await holder`select from app.user_balances order by uid for update`;
    await observer`begin`;
    await observer`select from pg_stat_activity`;
    const release = runner`call app.release_frozen_points(null, now() + interval '2 days')`.then(() => "ended");
    while (
      !(
        await sql`select from app.job_runs where job = 'fsgx_release_frozen_points' and ended_at is null and cut_at is null and batches > 0`
      ).length
    );
    await observer`select app.mark_cut_runs()`;
    await observer`commit`;
    expect((await runs("fsgx_release_frozen_points")).at(-1)).toMatchObject({ cut_at: null, ended_at: null });
    await holder`rollback`;
    expect(await release).toBe("ended");
    await Promise.all([holder.end(), runner.end(), observer.end()]);
  });
});
