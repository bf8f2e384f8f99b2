import { compareDurations, compareLoads } from "../compare.ts";
import { createData, withSql } from "../data/load_data.ts";
import type { Workload } from "../workload.ts";
import { RANDOM_TREE } from "./settle.ts";

const COUNTS =
  "select direct_orders, umbrella_orders, direct_members, umbrella_members from app.user_balances where uid = 1;";
const ONE_ROW = "select uid from app.user_balances where uid = 2;";

export const taskCounts: Workload = {
  name: "task_counts",
  title: "Read a member's task counts, compared with one row by its key",
  async run(bench) {
    const members = bench.size.members.at(-1) ?? 0;
    const url = await createData(bench.server, { members, referrer: RANDOM_TREE });
    const kept = await compareLoads(
      bench,
      { name: `subtree of ${members}`, better: "higher", aim: 1 / 1.2 },
      { url, script: COUNTS },
      { url, script: ONE_ROW },
    );
    const counted = await withSql(url, (sql) =>
      compareDurations(
        bench,
        { name: "counted by a recursive query", better: "lower" },
        { run: () => sql`select * from app.count_downline(1)` },
        { run: () => sql.unsafe(COUNTS) },
      ),
    );
    await bench.server.dropDatabases([url]);
    return [kept, { ...counted, name: "counted by a recursive query, beside the kept ones" }];
  },
};
