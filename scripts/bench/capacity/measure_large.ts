import { loadavg } from "node:os";
import type postgres from "postgres";
import type { MeasuredLarge, MeasuredNight, MeasuredPeople, MeasuredStore } from "../../scale/capacity/measured.ts";
import { connectTo } from "../bench_server.ts";
import { loadFile, withSql } from "../data/load_data.ts";
import { night } from "../data/night.ts";
import { processorTime } from "../session_cost.ts";
import { sessionMemory } from "../session_memory.ts";
import { median } from "../statistics.ts";
import type { Bench } from "../workload.ts";
import { createStore, measureIn } from "./measure_store.ts";
import { besidePeople } from "./people.ts";
import type { Reference } from "./reference.ts";

const ROOTS = 100;
const SESSIONS = 2;
/** Members who order in turn, and the seconds in which they do so without a night. */
const [BUYERS, ALONE] = [1_000, 30];
const CALLS = 5;
/** Pages of a hundred before the deep one. */
const DEEP = 100;

/** Runs a job of the night in some sessions while people order. */
async function besideNight(
  url: string,
  buyers: string[],
  sessions: number,
  job: (sql: postgres.Sql) => Promise<unknown>,
): Promise<MeasuredNight> {
  await withSql(url, (sql) => sql`update app.settings set night_sessions = ${sessions}`);
  const session = () =>
    withSql(url, async (sql) => {
      const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const before = processorTime(row!.pid);
      // A session of a scheduled job has one processor.
      await sql`set max_parallel_workers_per_gather = 0`;
      await job(sql);
      return { cpu: processorTime(row!.pid) - before, memory: (await sessionMemory(sql)) ?? 0 };
    });
  const started = performance.now();
  let measured: Pick<MeasuredNight, "sessions" | "seconds"> = { sessions: [], seconds: 0 };
  const people = await besidePeople(url, buyers, async () => {
    const all = await Promise.all(Array.from({ length: sessions }, session));
    measured = { sessions: all, seconds: (performance.now() - started) / 1000 };
  });
  return { ...measured, people };
}

/**
 * What administrators and the member with the most direct members call. Where a list has pages, the first one and a
 * deep one.
 */
async function measureReads(url: string, show: (text: string) => void): Promise<MeasuredLarge["reads"]> {
  await loadFile(url, "../http/callers.sql");
  return withSql(url, async (sql) => {
    const [leader] = await sql<{ uid: string }[]>`select uid from bench.members order by directs desc, uid limit 1`;
    const [ordinary] = await sql<
      { uid: string }[]
    >`select uid from bench.members where directs = 1 order by uid desc limit 1`;
    await sql`call bench.give_accounts(${[leader!.uid, ordinary!.uid]})`;
    const [admin] = await sql<{ id: string }[]>`select bench.make_administrator('bench-admin@example.com') as id`;
    const accountOf = async (uid: string) =>
      (await sql<{ id: string }[]>`select auth_id as id from app.users where uid = ${uid}`)[0]!.id;
    const callers = {
      leader: { sub: await accountOf(leader!.uid), role: "authenticated" },
      member: { sub: await accountOf(ordinary!.uid), role: "authenticated" },
      administrator: { sub: admin!.id, role: "store_admin" },
    };
    const call = async (who: keyof typeof callers, name: string, args: object) => {
      const [row] = await sql.unsafe<{ answer: string }[]>(
        `select entry.${name}($1, $2, 'bench', $3::text::jsonb)::text as answer`,
        [JSON.stringify(callers[who]), callers[who].role, JSON.stringify(args)],
        { prepare: true },
      );
      return JSON.parse(row!.answer) as { next_cursor?: string };
    };
    const deep = async (args: object) => {
      let cursor: string | undefined;
      for (let page = 0; page < DEEP; page += 1) {
        const next = (
          await call("leader", "get_team_people", { ...args, p_limit: 100, ...(cursor && { p_cursor: cursor }) })
        ).next_cursor;
        if (!next) break;
        cursor = next;
      }
      return { ...args, ...(cursor && { p_cursor: cursor }) };
    };
    const orders = { p_sort: "-orders" };
    const umbrella = { p_depth: "umbrella" };
    show("deep pages");
    const reads: [name: string, who: keyof typeof callers, calls: string, args: object][] = [
      ["overview of the store", "administrator", "get_overview", {}],
      ["members, first page", "administrator", "admin_get_users", {}],
      ["members, page 5,000", "administrator", "admin_get_users", { p_page: 5000 }],
      ["orders, first page", "administrator", "admin_get_orders", {}],
      ["bill, first page", "administrator", "get_bill_rows", {}],
      ["forecast of all releases", "administrator", "get_release_forecast", {}],
      ["team of a leader, summary", "leader", "get_team_summary", {}],
      ["team of a leader, direct members", "leader", "get_team_people", {}],
      ["… by orders", "leader", "get_team_people", orders],
      [`… page ${DEEP} of a hundred`, "leader", "get_team_people", await deep(orders)],
      ["team of a leader, everyone below", "leader", "get_team_people", umbrella],
      [`… page ${DEEP} of a hundred`, "leader", "get_team_people", await deep(umbrella)],
      ["team of a leader, orders", "leader", "get_team_orders", {}],
      ["a member's first page", "member", "get_assets_overview", {}],
      ["a member's bill", "member", "get_bill", {}],
    ];
    const [{ pid }] = (await sql`select pg_backend_pid() as pid`) as unknown as [{ pid: number }];
    const measured: MeasuredLarge["reads"] = [];
    for (const [name, who, calls, args] of reads) {
      show(name);
      const costs: number[] = [];
      for (let made = 0; made <= CALLS; made += 1) {
        const before = processorTime(pid);
        await call(who, calls, args);
        if (made > 0) costs.push(processorTime(pid) - before);
      }
      measured.push({ name, cpu: median(costs) });
    }
    return measured;
  });
}

/**
 * Measures a store with several trees and leaders: what any store is measured by, and nights of two sessions and reads
 * while people order.
 */
export async function measureLarge(
  bench: Bench,
  members: number,
  reference: Reference,
): Promise<{ store: MeasuredStore; large: MeasuredLarge }> {
  const { server, show, size } = bench;
  const load = loadavg()[0]!;
  const url = await createStore(bench, members, ROOTS);
  const sql = connectTo(url);
  try {
    const [drawn] = await sql<{ buyers: string[] }[]>`select bench.zipf_buyers(${BUYERS}) as buyers`;
    const { buyers } = drawn!;
    const store = await measureIn(bench, url, sql, members, reference);
    show(`${members} members: people order`);
    const people: MeasuredPeople = await besidePeople(
      url,
      buyers,
      () => new Promise((done) => setTimeout(done, 1000 * ALONE * size.share)),
    );
    show(`${members} members: a release in ${SESSIONS} sessions while people order`);
    // Only today: the releases before were of a month ago.
    await sql`update app.release_runs set is_named_only = true`;
    const release = await besideNight(url, buyers, SESSIONS, (session) => session`call app.release_frozen_points()`);
    show(`${members} members: a reconciliation in ${SESSIONS} sessions while people order`);
    const reconciliation = await besideNight(url, buyers, SESSIONS, night);
    if (store.nights.length === 0) {
      const [of] = await sql<{ orders: number; releases: number }[]>`
        select (select count(*)::integer from app.orders where paid_at > now() - interval '1 day') as orders, count(*)::integer as releases
        from app.points_release_log`;
      store.nights.push({ ...of!, cpu: reconciliation.sessions.reduce((sum, { cpu }) => sum + cpu, 0) });
    }
    const reads = await measureReads(url, (text) => show(`${members} members: ${text}`));
    const [bytes] = await sql<{ bytes: string }[]>`select pg_database_size(current_database()) as bytes`;
    return {
      store,
      large: {
        date: new Date().toISOString().slice(0, 10),
        members,
        roots: ROOTS,
        bytes: Number(bytes!.bytes),
        reference: await reference.measure(),
        load,
        people,
        release,
        reconciliation,
        reads,
      },
    };
  } finally {
    await sql.end();
    await server.dropDatabases([url]);
  }
}
