import { compareDurations } from "../compare.ts";
import { connectTo } from "../bench_server.ts";
import { createData } from "../data/load_data.ts";
import { sessionMemory } from "../session_memory.ts";
import type { Comparison, Workload } from "../workload.ts";

const WALK = `
with recursive upline as (
  select uid, spread_uid from app.users where uid = $1
  union all
  select u.uid, u.spread_uid from upline as p join app.users as u on u.uid = p.spread_uid
)
select count(*) from upline`;

export const chain: Workload = {
  name: "chain",
  title: "Settle an order at the foot of a chain, compared with a query that only walks it",
  async run(bench) {
    const comparisons: Comparison[] = [];
    for (const length of bench.size.chains) {
      const orders = 2 * (bench.size.rounds + 1);
      const url = await createData(bench.server, {
        members: length + 1,
        referrer: "nullif(i - 1, 0)",
        paid: true,
        buyers: `array_fill(${length + 1}::bigint, array[${orders}])`,
      });
      const sql = connectTo(url);
      // With few members, the bare walk would scan all of them at every step.
      await sql.unsafe("set enable_hashjoin = off; set enable_mergejoin = off");
      const measured = await compareDurations(
        bench,
        { name: `${length} members above`, better: "lower" },
        { run: () => sql`select app.settle_order(nextval('bench.next_order'), clock_timestamp())` },
        { run: () => sql.unsafe(WALK, [length + 1], { prepare: true }) },
      );
      const memory = await sessionMemory(sql);
      const before = comparisons.at(-1);
      const growth = before ? `${(measured.ours / before.ours).toFixed(1)} times the one before; ` : "";
      comparisons.push({
        ...measured,
        point: { of: "members above the buyer", size: length, milliseconds: measured.ours },
        note: `${growth}${memory === undefined ? "" : `${memory} MB of memory in the session`}`,
      });
      await sql.end();
      await bench.server.dropDatabases([url]);
    }
    return comparisons;
  },
};
