import { compareDurations, milliseconds } from "../compare.ts";
import { drain } from "../data/drain.ts";
import { withSql } from "../data/load_data.ts";
import { night } from "../data/night.ts";
import { createHistory, createStoreBelowRoot, JOINED } from "../data/store_below_root.ts";
import { median } from "../statistics.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";
import { releaseDay } from "./release.ts";

const TABLES = ["users", "user_balances", "orders", "order_lines", "settlements", "user_bill", "points_release_log"];

/** Reads each row of the large tables once and renders it, without comparing it with anything. */
const RENDER = TABLES.map((table) => `select sum(length(t::text)) from app.${table} as t`).join(" union all ");

const MEMBERS = 5_000;
/** Days of the open month, which a night reads again: as many as the last month has at most. */
const OPEN_DAYS = 20;
const LATER_NIGHTS = 3;

/**
 * The first night of stores with more and more history, which reads everything, and later ones, after the closed months
 * are carried.
 */
async function nights(bench: Bench): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const rows of bench.size.histories) {
    bench.show(`writing a history of ${rows} bill rows`);
    const url = await createHistory(bench.server, MEMBERS, rows / MEMBERS, OPEN_DAYS);
    const measure = () => milliseconds({ run: () => withSql(url, night) }, 0);
    bench.show(`the nights of ${rows} bill rows`);
    const first = await measure();
    const each: number[] = [];
    while (each.length < LATER_NIGHTS) each.push(await measure());
    const later = median(each);
    comparisons.push({
      name: `a night, ${rows} bill rows, closed months carried`,
      ours: later,
      baseline: first,
      unit: "ms",
      ratio: later / first,
      better: "lower",
    });
    await bench.server.dropDatabases([url]);
  }
  return comparisons;
}

export const reconcile: Workload = {
  name: "reconcile",
  title: "Reconcile the whole store, compared with rendering each row of the large tables once",
  async run(bench) {
    const orders = bench.size.backlogs.at(-1) ?? 0;
    const url = await createStoreBelowRoot(bench.server, {
      members: bench.size.tree,
      at: JOINED,
      end: new Date("2020-01-31"),
    });
    for (const day of [1, 2, 3]) await releaseDay(url, day);
    bench.show("settling the orders");
    await withSql(url, async (sql) => {
      await sql`call bench.place_orders(bench.zipf_buyers(${orders}))`;
      await sql`call bench.pay_orders()`;
      await sql`vacuum analyze`;
    });
    await drain(url, 2);
    await bench.server.analyze([url]);
    const comparison = await withSql(url, (sql) =>
      compareDurations(
        bench,
        { name: `${orders} orders, ${bench.size.tree} members`, better: "lower", aim: 3, floor: 4.5 },
        {
          run: async () => {
            const [finding] = await sql`select * from app.reconcile()`;
            if (finding) throw new Error(`The reconciliation has findings: ${JSON.stringify(finding)}`);
          },
        },
        { run: () => sql.unsafe(RENDER) },
      ),
    );
    await bench.server.dropDatabases([url]);
    return [comparison, ...(await nights(bench))];
  },
};
