import { withConnection } from "../../postgres/database_server.ts";
import { compareLoads } from "../compare.ts";
import { PAY_AND_SETTLE, WRITE_BATCH, WRITE_PAYMENT } from "../data/baselines.ts";
import { createData, type Data, transactionsOf, withSql } from "../data/load_data.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";
import { belowOneReferrer } from "./hot_referrer.ts";
import { RANDOM_TREE } from "./settle.ts";

const SLOTS = [1, 2];

/** The 99th percentile of the time between the commits of a payment and of its settlement, in milliseconds. */
const settledAfter = (url: string) =>
  withConnection(url, async (sql) => {
    const [row] = await sql<{ p99: number }[]>`
      select (extract(epoch from percentile_cont(0.99) within group (
        order by pg_xact_commit_timestamp(s.xmin) - pg_xact_commit_timestamp(o.xmin)
      )) * 1000)::float8 as p99
      from app.settlements as s join app.orders as o on o.id = s.order_id where o.order_no like 'bench-%'`;
    return row!.p99;
  });

/** A store whose orders are paid and settled, with what is expected of it. */
interface Store extends Required<Pick<Comparison, "name" | "aim" | "floor">> {
  data: Data;
}

async function compareStores(bench: Bench, { name, data, ...expected }: Store, slots: number): Promise<Comparison> {
  const baseline = await createData(bench.server, { ...data, recorded: 1 });
  const ours = await bench.server.createDatabase(baseline);
  await withSql(ours, (sql) => sql`update app.settings set settlement_slots = ${slots}`);
  const comparison = await compareLoads(
    bench,
    { name: `${name}, ${slots} slot${slots > 1 ? "s" : ""}`, better: "higher", ...expected },
    { url: ours, script: PAY_AND_SETTLE },
    { url: baseline, script: `${WRITE_PAYMENT}\n${WRITE_BATCH}` },
  );
  const [left] = await withSql(
    ours,
    (sql) => sql<{ behind: number; postponed: number }[]>`
      select count(*) filter (where last_error is null)::int as behind, count(last_error)::int as postponed from app.settlement_jobs`,
  );
  // Orders whose members' rows another leader holds for too long are due again ten seconds later.
  if (left!.behind > 0) throw new Error(`${left!.behind} paid orders were left behind.`);
  const [after, bare] = [await settledAfter(ours), await settledAfter(baseline)];
  await bench.server.dropDatabases([ours, baseline]);
  const postponed = left!.postponed > 0 ? `; ${left!.postponed} orders postponed` : "";
  return {
    ...comparison,
    note: `p99 from paid to settled ${after.toFixed(0)} ms, of the bare statements ${bare.toFixed(0)} ms${postponed}`,
  };
}

export const payAndSettle: Workload = {
  name: "pay_and_settle",
  title:
    "Pay orders and settle them as requests do, compared with one bare payment and one bare settlement for each order",
  async run(bench) {
    const orders = transactionsOf(bench.size);
    const tree = {
      members: bench.size.tree,
      referrer: RANDOM_TREE,
      prepare: "call bench.set_grades()",
      buyers: `bench.zipf_buyers(${orders})`,
    };
    const stores: Store[] = [
      { name: "one hot referrer", data: belowOneReferrer(orders), aim: 0.9, floor: 0.8 },
      { name: "random tree", data: tree, aim: 0.9, floor: 0.65 },
    ];
    const comparisons: Comparison[] = [];
    for (const store of stores) for (const slots of SLOTS) comparisons.push(await compareStores(bench, store, slots));
    return comparisons;
  },
};
