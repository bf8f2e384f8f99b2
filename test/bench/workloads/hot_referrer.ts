import { compareDurations, compareLoads } from "../compare.ts";
import { SETTLE } from "../data/baselines.ts";
import { drain, releaseJobs } from "../data/drain.ts";
import { createData, transactionsOf } from "../data/load_data.ts";
import type { Workload } from "../workload.ts";

/** What one hot row allows at best: every client changes it and adds a row of its own. */
const ONE_ROW = `
with counted as (update app.user_balances set total_places = total_places + 1 where uid = 2)
insert into app.settlement_jobs (order_id, run_after, created_at) values (nextval('bench.next_order'), now(), now());`;

export const hotReferrer: Workload = {
  name: "hot_referrer",
  title: "Settle orders of one referrer",
  async run(bench) {
    const orders = transactionsOf(bench.size);
    // The root, the referrer, and as many directs as there are orders: each buys once.
    const tree = { members: orders + 2, referrer: "case when i > 2 then 2 when i = 2 then 1 end", buyers: `(select array_agg(i::bigint) from generate_series(3, ${orders + 2}) as i)` };
    const waiting = await createData(bench.server, { ...tree, paid: true });
    const unpaid = await createData(bench.server, tree);
    const [ours, batched] = await bench.server.copies(waiting, 2) as [string, string];

    const single = await compareLoads(
      bench, { name: "one by one", better: "higher", aim: 0.6, floor: 0.45 }, { url: ours, script: SETTLE }, { url: unpaid, script: ONE_ROW },
    );
    const count = bench.size.clients * bench.size.transactions;
    const batches = await compareDurations(
      bench, { name: "batches of 50 beside one by one", better: "higher", aim: 3 },
      { prepare: () => releaseJobs(batched, count), run: () => drain(batched) }, { run: async () => undefined },
    );
    await bench.server.dropDatabases([waiting, unpaid, ours, batched]);
    const speed = (count / batches.ours) * 1000;
    return [single, { ...batches, ours: speed, baseline: single.ours, unit: "tx/s", ratio: speed / single.ours }];
  },
};
