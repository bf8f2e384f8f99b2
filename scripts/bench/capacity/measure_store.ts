import { loadavg } from "node:os";
import type postgres from "postgres";
import type { MeasuredStore } from "../../scale/capacity/measured.ts";
import { connectTo } from "../bench_server.ts";
import { BATCH } from "../data/baselines.ts";
import { night } from "../data/night.ts";
import { createStoreBelowRoot } from "../data/store_below_root.ts";
import { type Cost, costOf } from "../session_cost.ts";
import { median } from "../statistics.ts";
import type { Bench } from "../workload.ts";
import type { Reference } from "./reference.ts";

/** Orders between two checkpoints, whatever the size of the store. */
const MOST_ORDERS = 1_000;
const SAMPLE = 2_000;
const ITEMS = [{ product_id: 1, quantity: 1 }];
const NIGHTS = 3;

/**
 * Days of releases: as many as fit into a month where that is quick, because a night reads them until the month is
 * closed.
 */
const daysOf = (members: number) => (members <= 10_000 ? 25 : members <= 100_000 ? 8 : members <= 1_000_000 ? 3 : 2);

/**
 * Begins of months: openings are dated in the one before the last, releases in the last one, and orders now, each with
 * partitions of their own.
 */
function months(): { openings: Date; releases: Date; end: Date } {
  const now = new Date();
  const month = (offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1));
  return { openings: month(-2), releases: month(-1), end: month(1) };
}

/** Creates a store of this size. @returns its address */
export function createStore({ server, show }: Bench, members: number, roots = 1): Promise<string> {
  show(`${members} members`);
  const { openings, end } = months();
  return createStoreBelowRoot(server, { members, roots, at: new Date(openings.getTime() + 5 * 86_400_000), end });
}

const bytesOf = async (sql: postgres.Sql, ...tables: string[]) =>
  Number((await sql<{ bytes: string }[]>`select bench.bytes_of(variadic ${tables}) as bytes`)[0]!.bytes);
const countOf = async (sql: postgres.Sql, table: string) =>
  Number((await sql<{ count: string }[]>`select count(*) as count from ${sql(`app.${table}`)}`)[0]!.count);
const partition = (table: string, month: Date) => `${table}_${month.toISOString().slice(0, 7).replace("-", "")}`;

interface OrderRound {
  place: Cost;
  pay: Cost;
  settle: Cost;
  team: Cost;
}

const orderLog = ({ place, pay, settle, team }: OrderRound, kind: "records" | "images", orders: number) =>
  [place, pay, settle, team].reduce((sum, { log }) => sum + log[kind], 0) / orders;

/** Places, pays and settles orders of some buyers, from one checkpoint on. */
async function runOrders({ server }: Bench, url: string, sql: postgres.Sql, buyers: string[]): Promise<OrderRound> {
  const ids: string[] = [];
  const cost = (work: () => Promise<unknown>) => costOf(server, url, sql, work);
  await server.settle();
  return {
    place: await cost(async () => {
      for (const buyer of buyers) {
        const [order] = await sql<
          { id: string }[]
        >`select (app.create_order(${buyer}, ${sql.json(ITEMS)}, null, bench.address())).id`;
        ids.push(order!.id);
      }
    }),
    pay: await cost(async () => {
      for (const id of ids) await sql`select (app.pay_order(${id}, 'bench', ${`paid-${id}`}, null)).id`;
    }),
    settle: await cost(async () => {
      while ((await sql<{ done: number }[]>`select app.run_settlement_jobs(${BATCH}) as done`)[0]!.done > 0);
    }),
    team: await cost(() => sql`call app.sum_team_totals()`),
  };
}

/** Releases one day at noon, as the job does, from a checkpoint on. */
async function release({ server }: Bench, url: string, sql: postgres.Sql, day: number): Promise<Cost> {
  const noon = new Date(months().releases.getTime() + (day + 1) * 86_400_000 + 4 * 3_600_000);
  await server.settle();
  return costOf(server, url, sql, () => sql`call app.release_frozen_points(null, ${noon})`);
}

/** Measures a store with this number of members. */
export async function measureStore(bench: Bench, members: number, reference: Reference): Promise<MeasuredStore> {
  const url = await createStore(bench, members);
  const sql = connectTo(url);
  try {
    return await measureIn(bench, url, sql, members, reference);
  } finally {
    await sql.end();
    await bench.server.dropDatabases([url]);
  }
}

/** Measures a store of createStore. @param sql a session of it */
export async function measureIn(
  bench: Bench,
  url: string,
  sql: postgres.Sql,
  members: number,
  reference: Reference,
): Promise<MeasuredStore> {
  const { server, size, show } = bench;
  const load = loadavg()[0]!;
  const orders = MOST_ORDERS * size.share;
  const references = [await reference.measure()];
  const nights: MeasuredStore["nights"] = [];
  const { releases: month } = months();
  // A session of a scheduled job has one processor.
  await sql`set max_parallel_workers_per_gather = 0`;
  const memberBytes = await bytesOf(sql, "users", "user_balances", "team_totals");
  // Large stores take minutes, in which the variation evens out.
  const isLarge = members > 100_000;
  // In a larger store one takes a quarter of an hour. That of two sessions says the same there (measureLarge).
  const hasQuickNights = members <= 1_000_000;
  const reconcile = async (settledOrders: number, releases: number) => {
    show(`${members} members: a night`);
    const costs: number[] = [];
    for (let made = 0; made < (isLarge ? 1 : NIGHTS); made += 1) {
      costs.push((await costOf(server, url, sql, () => night(sql))).cpu);
      references.push(await reference.measure());
    }
    nights.push({ orders: settledOrders, releases, cpu: median(costs) });
  };

  const released: Cost[] = [];
  for (let day = 0; day < daysOf(members); day += 1) {
    show(`${members} members: release ${day + 1}`);
    const cost = await release(bench, url, sql, day);
    references.push(await reference.measure());
    // The first one writes to pages that have never been changed.
    if (day > 0) released.push(cost);
    else {
      await sql.unsafe("vacuum analyze");
      if (hasQuickNights) await reconcile(0, members);
    }
  }
  const releasedRows = await countOf(sql, partition("points_release_log", month));

  const [drawn] = await sql<{ buyers: string[] }[]>`select bench.zipf_buyers(${orders * (size.rounds + 1)}) as buyers`;
  const rounds: OrderRound[] = [];
  for (let round = 0; round <= size.rounds; round += 1) {
    show(`${members} members: orders, round ${round} of ${size.rounds}`);
    const one = await runOrders(bench, url, sql, drawn!.buyers.slice(round * orders, (round + 1) * orders));
    references.push(await reference.measure());
    // The first one compiles functions and creates plans, for tables that were empty. autovacuum would analyze them,
    // too.
    if (round > 0) rounds.push(one);
    else {
      await sql.unsafe("vacuum analyze");
      // Tells what an order costs a night from what its fixed sample of orders costs. Larger stores would say the same,
      // slowly.
      if (!isLarge) await reconcile(orders, releasedRows);
    }
  }
  const settled = orders * (size.rounds + 1);
  const orderRows = await countOf(sql, partition("user_bill", new Date()));
  await sql.unsafe("vacuum analyze");
  if (hasQuickNights) await reconcile(settled, releasedRows);

  const each = (costs: Cost[], count: number) => median(costs.map(({ cpu }) => cpu / count));
  const [rows] = await sql<
    { depth: number; root_share: number; hottest_share: number }[]
  >`select * from bench.rows_written(${Math.min(SAMPLE, members)})`;
  return {
    members,
    reference: median(references),
    load,
    ...rows!,
    orders_per_checkpoint: orders,
    bill_rows_per_order: orderRows / settled,
    disk: {
      member: memberBytes / members,
      order:
        (await bytesOf(sql, "orders", "order_lines", "settlements")) / (members + settled) +
        (await bytesOf(sql, "commission_maturities")) / settled,
      order_bill_row: (await bytesOf(sql, partition("user_bill", new Date()))) / orderRows,
      release_bill_row: (await bytesOf(sql, partition("user_bill", month))) / releasedRows,
      release_log_row: (await bytesOf(sql, partition("points_release_log", month))) / releasedRows,
    },
    cpu: {
      place: each(
        rounds.map(({ place }) => place),
        orders,
      ),
      pay: each(
        rounds.map(({ pay }) => pay),
        orders,
      ),
      settle: each(
        rounds.map(({ settle }) => settle),
        orders,
      ),
      team: each(
        rounds.map(({ team }) => team),
        orders,
      ),
      release: each(released, members),
    },
    log: {
      order_records: median(rounds.map((round) => orderLog(round, "records", orders))),
      order_images: median(rounds.map((round) => orderLog(round, "images", orders))),
      release: median(released.map(({ log }) => (log.records + log.images) / members)),
    },
    nights,
  };
}
