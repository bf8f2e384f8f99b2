import { compareLoads } from "../compare.ts";
import { withSql } from "../data/load_data.ts";
import { BARE_READS } from "../http/bare_reads.ts";
import { createCallers } from "../http/functions.ts";
import type { Comparison, Workload } from "../workload.ts";
import { createReadStore } from "./http_reads.ts";

const CLIENTS = 4;
const READS = [
  { read: "me", calls: "get_me" },
  { read: "progress", calls: "get_brokerage_progress" },
  { read: "overview", calls: "get_assets_overview" },
  { read: "release_log", calls: "get_release_log" },
] as const;

export const reads: Workload = {
  name: "reads",
  title: "Reads inside the database as their caller, compared with a handwritten statement as the owner of the tables",
  async run(bench) {
    const url = await createReadStore(bench);
    await createCallers(url, 1);
    // The accounts of the member with the most data, and of the administrator.
    const [accounts] = await withSql(
      url,
      (sql) => sql<{ member: string; admin: string }[]>`
      select (select auth_id from app.users where uid = 1) as member, (select id from auth.users where role = 'store_admin') as admin`,
    );
    const load = { url, clients: CLIENTS, transactions: Math.ceil(bench.size.requests / CLIENTS) };
    const call = (name: string, sub: string | undefined, role: string) =>
      `select entry.${name}('${JSON.stringify({ sub, role })}', '${role}', 'bench', '{}')::text;`;
    const comparisons: Comparison[] = [];
    for (const { read, calls } of READS) {
      const asCaller =
        read === "release_log" ? call(calls, accounts?.admin, "store_admin") : call(calls, accounts?.member, "authenticated");
      comparisons.push(
        await compareLoads(
          bench,
          { name: read, better: "higher", ...(read === "overview" && { aim: 0.5 }) },
          { ...load, script: asCaller },
          { ...load, script: `${BARE_READS[read].replaceAll("$1", `'${accounts?.member}'`)};` },
        ),
      );
    }
    await bench.server.dropDatabases([url]);
    return comparisons;
  },
};
