import { compareDurations } from "../compare.ts";
import { drain } from "../data/drain.ts";
import { createData, withSql } from "../data/load_data.ts";
import type { Workload } from "../workload.ts";
import { releaseDay } from "./release.ts";
import { RANDOM_TREE } from "./settle.ts";

const SUMS = "select uid, sum(brokerage_delta), sum(frozen_delta), sum(available_delta) from app.user_bill group by uid";

export const reconcile: Workload = {
  name: "reconcile",
  title: "Reconcile the whole store, compared with bare sums grouped by member",
  async run(bench) {
    const orders = bench.size.backlogs.at(-1) ?? 0;
    const url = await createData(bench.server, { members: bench.size.tree, referrer: RANDOM_TREE, paid: true, buyers: `bench.zipf_buyers(${orders})` });
    bench.show("settling the orders");
    await drain(url, 2);
    for (const day of [1, 2, 3]) await releaseDay(url, day);
    await bench.server.analyze([url]);
    const comparison = await withSql(url, (sql) => compareDurations(
      bench, { name: `${orders} orders, ${bench.size.tree} members`, better: "lower", aim: 1.5 },
      { run: () => sql`select * from app.reconcile()` }, { run: () => sql.unsafe(SUMS) },
    ));
    await bench.server.dropDatabases([url]);
    return [comparison];
  },
};
