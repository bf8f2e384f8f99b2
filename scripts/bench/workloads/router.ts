import { compareLoads } from "../compare.ts";
import { createData, withSql } from "../data/load_data.ts";
import { createCallers } from "../http/functions.ts";
import type { Comparison, Workload } from "../workload.ts";
import { RANDOM_TREE } from "./settle.ts";

const CALLS = ["get_me", "get_assets_overview"] as const;
/** One session, so that the latencies are those of a call. */
const CLIENTS = 1;
const MEMBERS = 1_000;

export const router: Workload = {
  name: "router",
  title: "Calls through the router to a shard on the same machine, compared with the shard alone, in one session",
  async run(bench) {
    const shard = await createData(bench.server, {
      members: MEMBERS,
      referrer: RANDOM_TREE,
      paid: true,
      buyers: `bench.zipf_buyers(${MEMBERS})`,
    });
    await createCallers(shard, 1);
    const [account] = await withSql(
      shard,
      (sql) => sql<{ id: string }[]>`select auth_id as id from app.users where uid = 1`,
    );
    const routed = await bench.server.createRouter(shard);
    const comparisons: Comparison[] = [];
    for (const name of CALLS) {
      const script = `select entry.${name}('${JSON.stringify({ sub: account?.id, role: "authenticated" })}', 'authenticated', 'bench', '{}')::text;`;
      const load = { script, clients: CLIENTS, transactions: bench.size.requests };
      const compared = await compareLoads(
        bench,
        { name, better: "higher" },
        { ...load, url: routed },
        { ...load, url: shard },
      );
      const cost = 1000 / compared.ours - 1000 / compared.baseline;
      comparisons.push({ ...compared, note: `${cost.toFixed(2)} ms a call for the router` });
    }
    await bench.server.dropDatabases([routed, shard]);
    return comparisons;
  },
};
