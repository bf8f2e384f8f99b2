import { compareDurations, milliseconds } from "../compare.ts";
import { drain } from "../data/drain.ts";
import { createData, loadFile, withSql } from "../data/load_data.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";
import { releaseDay } from "./release.ts";
import { RANDOM_TREE } from "./settle.ts";

const SUMS = "select uid, sum(brokerage_delta), sum(frozen_delta), sum(available_delta) from app.user_bill group by uid";

const MEMBERS = 5_000;
/** Days of the open month, which a night reads again: as many as the last month has at most. */
const OPEN_DAYS = 20;

/** A nightly run, like that of the scheduled job. Throws if it found something. */
async function night(url: string): Promise<void> {
  await withSql(url, async (sql) => {
    await sql`call app.record_reconcile()`;
    const [run] = await sql`select findings, sample from app.reconcile_runs order by id desc limit 1`;
    if (run?.findings !== 0) throw new Error(`The nightly run has findings: ${JSON.stringify(run)}`);
  });
}

/** The first night of stores with more and more history, which reads everything, and a later one, after the closed months are carried. */
async function nights(bench: Bench): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const rows of bench.size.histories) {
    const days = rows / MEMBERS;
    bench.show(`writing a history of ${rows} bill rows`);
    const url = await createData(bench.server, { members: MEMBERS, referrer: RANDOM_TREE });
    await loadFile(url, "history.sql");
    await withSql(url, async (sql) => {
      await sql`call bench.write_history(${days})`;
      await sql`call bench.close_months(${days}, ${OPEN_DAYS})`;
      await sql`vacuum analyze`;
    });
    const first = await milliseconds({ run: () => night(url) }, 0);
    const later = await milliseconds({ run: () => night(url) }, 0);
    const of = "bill rows, per night";
    comparisons.push({ name: `a night, ${rows} bill rows, closed months carried`, ours: later, baseline: first, unit: "ms", ratio: later / first, better: "lower", point: { of, size: rows, milliseconds: later } });
    await bench.server.dropDatabases([url]);
  }
  return comparisons;
}

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
    return [comparison, ...await nights(bench)];
  },
};
