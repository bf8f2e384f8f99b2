import { isDeepStrictEqual } from "node:util";
import { compareLoads } from "../compare.ts";
import { withSql } from "../data/load_data.ts";
import { BARE_READS } from "../http/bare_reads.ts";
import { createCallers } from "../http/functions.ts";
import type { Comparison, Workload } from "../workload.ts";
import { createReadStore } from "./http_reads.ts";

const CLIENTS = 4;

/** A read as its caller, and the bare statement beside it. */
export interface Read {
  name: keyof typeof BARE_READS;
  ours: string;
  bare: string;
}

/** The values of an answer. A time is the same in both forms. */
const valuesOf = (answer: unknown): unknown =>
  JSON.parse(String(answer), (_name, value: unknown) =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/.test(value)
      ? new Date(value).toISOString()
      : value,
  );

/**
 * Creates the callers of the reads in a store of createReadStore.
 * @throws Error if a bare statement does not return what the store returns
 */
export async function createReads(url: string): Promise<Read[]> {
  await createCallers(url, 1);
  return withSql(url, async (sql) => {
    const [caller] = await sql<{ member: string; admin: string }[]>`
      select (select auth_id from app.users where uid = 1) as member, (select id from auth.users where role = 'store_admin') as admin`;
    const { member, admin } = caller!;
    const call = (name: string, sub: string, role: string) =>
      `select entry.${name}('${JSON.stringify({ sub, role })}', '${role}', 'bench', '{}')::text;`;
    const bare = (name: keyof typeof BARE_READS) => `${BARE_READS[name].replaceAll("$1", `'${member}'`)};`;
    const reads: Read[] = [
      { name: "me", ours: call("get_me", member, "authenticated"), bare: bare("me") },
      { name: "progress", ours: call("get_brokerage_progress", member, "authenticated"), bare: bare("progress") },
      { name: "overview", ours: call("get_assets_overview", member, "authenticated"), bare: bare("overview") },
      { name: "release_log", ours: call("get_release_log", admin, "store_admin"), bare: bare("release_log") },
    ];
    for (const read of reads) {
      const [[ours], [expected]] = [await sql.unsafe(read.ours).values(), await sql.unsafe(read.bare).values()];
      if (!isDeepStrictEqual(valuesOf(ours![0]), valuesOf(expected![0])))
        throw new Error(
          `The bare statement of ${read.name} does not return what the store returns:\n${expected![0]}\n${ours![0]}`,
        );
    }
    return reads;
  });
}

export const reads: Workload = {
  name: "reads",
  title: "Reads inside the database as their caller, compared with a handwritten statement as the owner of the tables",
  async run(bench) {
    const url = await createReadStore(bench);
    const load = { url, clients: CLIENTS, transactions: Math.ceil(bench.size.requests / CLIENTS) };
    const comparisons: Comparison[] = [];
    for (const { name, ours, bare } of await createReads(url))
      comparisons.push(
        await compareLoads(bench, { name, better: "higher" }, { ...load, script: ours }, { ...load, script: bare }),
      );
    await bench.server.dropDatabases([url]);
    return comparisons;
  },
};
