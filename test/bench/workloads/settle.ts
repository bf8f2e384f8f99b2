import { withConnection } from "../../../scripts/postgres/database_server.ts";
import { compareLoads, SETTLED } from "../compare.ts";
import { BATCH, SETTLE, SETTLE_BATCH, WRITE_BATCH } from "../data/baselines.ts";
import { createData, transactionsOf } from "../data/load_data.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";

/** A random recursive tree: every member joins below an earlier one, so the mean depth grows logarithmically. */
export const RANDOM_TREE = "case when i > 1 then 1 + floor(random() * (i - 1))::bigint end";

const WORKERS = [1, 4];

const createTree = (bench: Bench, orders: number, recorded: number) =>
  createData(bench.server, {
    members: bench.size.tree,
    referrer: RANDOM_TREE,
    prepare: "call bench.set_grades()",
    paid: true,
    recorded,
    buyers: `bench.zipf_buyers(${orders})`,
  });

/** What settling writes: rows and sums of every table that it changes. Times, positions and the names of plans do not count. */
const WRITTEN = `
  select
    (select count(*) from app.settlements) as settlements, (select sum(place) from app.settlements) as places,
    (select count(*) from app.commission_maturities) as maturities,
    (select count(*) from app.user_bill) as bill_rows, (select sum(brokerage_delta) from app.user_bill) as brokerage,
    (select sum(frozen_delta) from app.user_bill) as frozen_points,
    (select count(*) from app.level_changes) as level_changes, (select sum(agent_level) from app.users) as levels,
    (select sum(brokerage_price) from app.user_balances) as balances, (select sum(total_points_earned) from app.user_balances) as points_earned,
    (select sum(direct_orders + umbrella_orders + own_orders) from app.user_balances) as counts,
    (select count(*) from app.settlement_jobs) as jobs_left`;

const written = (url: string) =>
  withConnection(url, async (sql) => {
    const [row] = await sql.unsafe<Record<string, string | null>[]>(WRITTEN);
    return Object.fromEntries(Object.entries(row!).map(([name, value]) => [name, String(value)]));
  });

async function compareSingly(bench: Bench): Promise<Comparison> {
  const baseline = await createTree(bench, transactionsOf(bench.size), 1);
  const ours = await bench.server.createDatabase(baseline);
  const comparison = await compareLoads(
    bench,
    { name: `one by one, ${bench.size.clients} connections`, better: "higher", aim: 0.65, floor: 0.55 },
    { url: ours, script: SETTLE },
    { url: baseline, script: WRITE_BATCH },
  );
  await bench.server.dropDatabases([ours, baseline]);
  return comparison;
}

async function compareBatches(bench: Bench): Promise<Comparison[]> {
  const data = await createTree(bench, bench.size.batches * BATCH * (bench.size.rounds + 1), BATCH);
  const comparisons: Comparison[] = [];
  for (const clients of WORKERS) {
    const [ours, baseline] = (await bench.server.copies(data, 2)) as [string, string];
    const load = { clients, transactions: Math.floor(bench.size.batches / clients), counting: SETTLED };
    const comparison = await compareLoads(
      bench,
      { name: `batches of ${BATCH}, ${clients} worker${clients > 1 ? "s" : ""}`, better: "higher", aim: 0.7, floor: 0.55 },
      { url: ours, script: SETTLE_BATCH, ...load },
      { url: baseline, script: WRITE_BATCH, ...load },
    );
    // Several workers settle in another order than the one that was recorded.
    comparisons.push(clients > 1 ? comparison : { ...comparison, rows: { ours: await written(ours), baseline: await written(baseline) } });
    await bench.server.dropDatabases([ours, baseline]);
  }
  await bench.server.dropDatabases([data]);
  return comparisons;
}

export const settle: Workload = {
  name: "settle",
  title: "Settle orders of a random tree, Zipf 1.0 over referrers, compared with one bare statement that writes the same rows",
  run: async (bench) => [...(await compareBatches(bench)), await compareSingly(bench)],
};
