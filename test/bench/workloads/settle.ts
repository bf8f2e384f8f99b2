import { compareLoads } from "../compare.ts";
import { SETTLE, WRITE_SETTLEMENT } from "../data/baselines.ts";
import { createData, transactionsOf } from "../data/load_data.ts";
import type { Workload } from "../workload.ts";

/** A random recursive tree: every member joins below one of those before, so the mean depth grows with the logarithm. */
export const RANDOM_TREE = "case when i > 1 then 1 + floor(random() * (i - 1))::bigint end";

export const settle: Workload = {
  name: "settle",
  title: "Settle an order, random tree, Zipf 1.0 over referrers",
  async run(bench) {
    const data = await createData(bench.server, {
      members: bench.size.tree, referrer: RANDOM_TREE, prepare: "call bench.set_grades()", paid: true, recorded: true,
      buyers: `bench.zipf_buyers(${transactionsOf(bench.size)})`,
    });
    const [ours, baseline] = await bench.server.copies(data, 2) as [string, string];
    const comparison = await compareLoads(
      bench, { name: `${bench.size.tree} members`, better: "higher", aim: 0.65, floor: 0.5 },
      { url: ours, script: SETTLE }, { url: baseline, script: WRITE_SETTLEMENT },
    );
    await bench.server.dropDatabases([data, ours, baseline]);
    return [comparison];
  },
};
