import { compareDurations } from "../compare.ts";
import { drain } from "../data/drain.ts";
import { withSql } from "../data/load_data.ts";
import { createStoreBelowRoot, JOINED } from "../data/store_below_root.ts";
import { createCallers } from "../http/functions.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";

/** Members for each order that pays. */
const MEMBERS_OF_AN_ORDER = 10;

/** Reads each row of the table of members once. Indexes would have to be read, too. */
const SCAN = "select count(u.nickname) from app.users as u";

/** What the pages about the shape of the network ask for, dearest member first. */
const REPORTS = [
  { name: "the shape of the store", calls: "get_network", args: {} },
  { name: "a page of the members above the thresholds", calls: "get_network_members", args: {} },
  { name: "the depths of the member above everyone", calls: "get_member_network", args: { p_uid: 1 } },
  { name: "a branch of the picture", calls: "get_branch", args: { p_uid: 1 } },
  { name: "what was paid by depth", calls: "get_network_paid", args: {} },
] as const;

/** A store of this size below one root, in which orders have paid. @returns its URL */
async function createNetwork(bench: Bench, members: number): Promise<string> {
  bench.show(`${members} members`);
  const url = await createStoreBelowRoot(bench.server, { members, at: JOINED, end: JOINED });
  await createCallers(url, 1);
  const orders = Math.ceil(members / MEMBERS_OF_AN_ORDER);
  bench.show(`settling ${orders} orders`);
  await withSql(url, async (sql) => {
    await sql`call bench.place_orders(bench.zipf_buyers(${orders}))`;
    await sql`call bench.pay_orders()`;
    await sql`vacuum analyze`;
  });
  await drain(url, 2);
  await withSql(url, (sql) => sql`vacuum analyze`);
  return url;
}

async function measure(bench: Bench, members: number): Promise<Comparison[]> {
  const url = await createNetwork(bench, members);
  const comparisons = await withSql(url, async (sql) => {
    const [admin] = await sql<{ id: string }[]>`select id from auth.users where role = 'store_admin'`;
    const claims = JSON.stringify({ sub: admin!.id, role: "store_admin" });
    const report = ({ calls, args }: (typeof REPORTS)[number]) =>
      sql.unsafe<{ report: Record<string, unknown> }[]>(
        `select entry.${calls}('${claims}', 'store_admin', 'bench', '${JSON.stringify(args)}') as report`,
      );
    const [row] = await report(REPORTS[2]);
    if (row!.report.people !== members - 1)
      throw new Error(`Not everyone is below member 1: ${JSON.stringify(row!.report)}`);
    // A call has one processor, and so has the scan.
    await sql`set max_parallel_workers_per_gather = 0`;
    const compared: Comparison[] = [];
    for (const each of REPORTS)
      compared.push(
        await compareDurations(
          bench,
          { name: `${each.name}, ${members} members`, better: "lower" },
          { run: () => report(each) },
          { run: () => sql.unsafe(SCAN) },
        ),
      );
    return compared;
  });
  await bench.server.dropDatabases([url]);
  return comparisons;
}

export const network: Workload = {
  name: "network",
  title: "The shape of the network, compared with reading each row of the table of members once",
  async run(bench) {
    const comparisons: Comparison[] = [];
    for (const members of new Set(bench.size.members)) comparisons.push(...(await measure(bench, members)));
    return comparisons;
  },
};
