import { withConnection } from "../../postgres/database_server.ts";
import { compareLoads, SETTLED } from "../compare.ts";
import { BATCH, SETTLE, SETTLE_BATCH, WRITE_BATCH } from "../data/baselines.ts";
import { createData, transactionsOf } from "../data/load_data.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";

/** A random recursive tree: every member joins below an earlier one, so the mean depth grows logarithmically. */
export const RANDOM_TREE = "case when i > 1 then 1 + floor(random() * (i - 1))::bigint end";

/** The workers that settle at the same time, with what is expected of them. */
const WORKERS = [
  { clients: 1, aim: 0.75, floor: 0.67 },
  { clients: 4, aim: 0.7, floor: 0.55 },
];

/** A random tree with orders that are paid, and the rows that settling them writes. */
export const createTree = (bench: Bench, orders: number, recorded: number) =>
  createData(bench.server, {
    members: bench.size.tree,
    referrer: RANDOM_TREE,
    prepare: "call bench.set_grades()",
    paid: true,
    recorded,
    buyers: `bench.zipf_buyers(${orders})`,
  });

/** The sums of what settling writes. Times, positions and the names of plans do not count. */
const SUMS = `
  select
    (select sum(place) from app.settlements) as places,
    (select sum(amount_left) from app.commission_maturities) as maturing, (select count(matures_at) from app.commission_maturities) as dates,
    (select sum(brokerage_delta) from app.user_bill) as brokerage, (select sum(frozen_delta) from app.user_bill) as frozen_points,
    (select sum(agent_level) from app.users) as levels,
    (select sum(brokerage_price) from app.user_balances) as balances, (select sum(total_points_earned) from app.user_balances) as points_earned,
    (select sum(direct_orders + umbrella_orders + own_orders) from app.user_balances) as counts`;

/**
 * How many rows each table of the store has, whatever a settlement may write, and the sums of their amounts. Without
 * the eras of events: the first event of a store begins one.
 */
const written = (url: string) =>
  withConnection(url, async (sql) => {
    const tables = await sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'app'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'event_eras' order by relname`;
    const counts = tables.map(({ name }) => `(select count(*) from app.${name}) as ${name}`);
    const [row] = await sql.unsafe<Record<string, string | null>[]>(
      `select * from (${SUMS}) as s, (select ${counts.join(", ")}) as c`,
    );
    return Object.fromEntries(Object.entries(row!).map(([name, value]) => [name, String(value)]));
  });

async function compareSingly(bench: Bench): Promise<Comparison> {
  // Requests leave their orders to one of them, so nothing settles one by one at the same time (decision 0080).
  const alone = { clients: 1, transactions: bench.size.clients * bench.size.transactions };
  const baseline = await createTree(bench, transactionsOf(bench.size), 1);
  const ours = await bench.server.createDatabase(baseline);
  const comparison = await compareLoads(
    bench,
    { name: "one by one, one session", better: "higher", aim: 0.7, floor: 0.65 },
    { url: ours, script: SETTLE, ...alone },
    { url: baseline, script: WRITE_BATCH, ...alone },
  );
  await bench.server.dropDatabases([ours, baseline]);
  return comparison;
}

async function compareBatches(bench: Bench): Promise<Comparison[]> {
  const data = await createTree(bench, bench.size.batches * BATCH * (bench.size.rounds + 1), BATCH);
  const comparisons: Comparison[] = [];
  for (const { clients, ...expected } of WORKERS) {
    const [ours, baseline] = (await bench.server.copies(data, 2)) as [string, string];
    const load = { clients, transactions: Math.floor(bench.size.batches / clients), counting: SETTLED };
    const comparison = await compareLoads(
      bench,
      { name: `batches of ${BATCH}, ${clients} worker${clients > 1 ? "s" : ""}`, better: "higher", ...expected },
      { url: ours, script: SETTLE_BATCH, ...load },
      { url: baseline, script: WRITE_BATCH, ...load },
    );
    // Several workers settle in another order than the one that was recorded.
    comparisons.push(
      clients > 1
        ? comparison
        : { ...comparison, rows: { ours: await written(ours), baseline: await written(baseline) } },
    );
    await bench.server.dropDatabases([ours, baseline]);
  }
  await bench.server.dropDatabases([data]);
  return comparisons;
}

export const settle: Workload = {
  name: "settle",
  title:
    "Settle orders of a random tree, Zipf 1.0 over referrers, compared with one bare statement that writes the same rows",
  run: async (bench) => [...(await compareBatches(bench)), await compareSingly(bench)],
};
