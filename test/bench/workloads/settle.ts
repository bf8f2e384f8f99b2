import { compareLoads, SETTLED } from "../compare.ts";
import { BATCH, SETTLE, SETTLE_BATCH, WRITE_BATCH } from "../data/baselines.ts";
import { createData, transactionsOf } from "../data/load_data.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";

/** A random recursive tree: every member joins below an earlier one, so the mean depth grows logarithmically. */
export const RANDOM_TREE = "case when i > 1 then 1 + floor(random() * (i - 1))::bigint end";

const WORKERS = [1, 4];

const createTree = (bench: Bench, orders: number, recorded: number) => createData(bench.server, {
  members: bench.size.tree, referrer: RANDOM_TREE, prepare: "call bench.set_grades()", paid: true, recorded, buyers: `bench.zipf_buyers(${orders})`,
});

async function compareSingly(bench: Bench): Promise<Comparison> {
  const baseline = await createTree(bench, transactionsOf(bench.size), 1);
  const ours = await bench.server.createDatabase(baseline);
  const comparison = await compareLoads(
    bench, { name: `one by one, ${bench.size.clients} connections`, better: "higher", aim: 0.65, floor: 0.55 },
    { url: ours, script: SETTLE }, { url: baseline, script: WRITE_BATCH },
  );
  await bench.server.dropDatabases([ours, baseline]);
  return comparison;
}

async function compareBatches(bench: Bench): Promise<Comparison[]> {
  const data = await createTree(bench, bench.size.batches * BATCH * (bench.size.rounds + 1), BATCH);
  const comparisons: Comparison[] = [];
  for (const clients of WORKERS) {
    const [ours, baseline] = await bench.server.copies(data, 2) as [string, string];
    const load = { clients, transactions: Math.floor(bench.size.batches / clients), counting: SETTLED };
    comparisons.push(await compareLoads(
      bench, { name: `batches of ${BATCH}, ${clients} worker${clients > 1 ? "s" : ""}`, better: "higher", aim: 0.7, floor: 0.55 },
      { url: ours, script: SETTLE_BATCH, ...load }, { url: baseline, script: WRITE_BATCH, ...load },
    ));
    await bench.server.dropDatabases([ours, baseline]);
  }
  await bench.server.dropDatabases([data]);
  return comparisons;
}

export const settle: Workload = {
  name: "settle",
  title: "Settle orders of a random tree, Zipf 1.0 over referrers, compared with one bare statement that writes the same rows",
  run: async (bench) => [...await compareBatches(bench), await compareSingly(bench)],
};
