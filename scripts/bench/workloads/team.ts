import { compareLoads, milliseconds, SETTLED } from "../compare.ts";
import { BATCH, PAY, SETTLE_BATCH } from "../data/baselines.ts";
import { drain } from "../data/drain.ts";
import { createData, loadFile, transactionsOf, withSql } from "../data/load_data.ts";
import { type Bench, type Comparison, full, type Workload } from "../workload.ts";
import { RANDOM_TREE } from "./settle.ts";

const CLIENTS = 4;
const TEN = 10;
/** Settled orders, and payments that the job then sums. */
const ORDERS = 1_000;

/** The reads whose cost must not depend on the size of the team, with pages of ten. */
const READS = [
  { name: "summary", calls: "get_team_summary", args: {} },
  { name: "direct members", calls: "get_team_people", args: { p_limit: TEN } },
  { name: "direct members by orders", calls: "get_team_people", args: { p_sort: "-orders", p_limit: TEN } },
  { name: "all members below", calls: "get_team_people", args: { p_depth: "umbrella", p_limit: TEN } },
  { name: "orders", calls: "get_team_orders", args: { p_limit: TEN } },
];

/** A store whose last ten members are the team of the one who joined before them. Member 1 is above everyone. */
async function createTeams(bench: Bench, members: number): Promise<string> {
  const head = members - TEN;
  const url = await createData(bench.server, {
    members,
    referrer: `case when i > ${head} then greatest(${head}, i - 2) else ${RANDOM_TREE} end`,
    paid: true,
    buyers: `bench.zipf_buyers(${ORDERS}) || array(select g from generate_series(${head + 1}::bigint, ${members}) as g)`,
  });
  await drain(url);
  await loadFile(url, "../http/callers.sql");
  await withSql(url, async (sql) => {
    await sql`call bench.give_accounts(${[1, head]})`;
    bench.show("summing the team totals");
    await sql`select app.rebuild_team_totals()`;
    await sql`truncate app.team_changes`;
    await sql.unsafe("vacuum analyze");
  });
  return url;
}

async function compareReads(bench: Bench, url: string, members: number): Promise<Comparison[]> {
  const accounts = await withSql(
    url,
    (sql) => sql<{ id: string }[]>`select auth_id as id from app.users where uid in (1, ${members - TEN}) order by uid`,
  );
  const call = (calls: string, args: object, sub: string | undefined) =>
    `select entry.${calls}('${JSON.stringify({ sub, role: "authenticated" })}', 'authenticated', 'bench', '${JSON.stringify(args)}')::text;`;
  const load = { url, clients: CLIENTS, transactions: Math.ceil(bench.size.requests / CLIENTS / 2) };
  const comparisons: Comparison[] = [];
  for (const { name, calls, args } of READS) {
    comparisons.push(
      await compareLoads(
        bench,
        { name: `${name}: ${members - 1} below beside ${TEN}`, better: "higher", aim: 1 / 3 },
        { ...load, script: call(calls, args, accounts[0]?.id) },
        { ...load, script: call(calls, args, accounts[1]?.id) },
      ),
    );
  }
  return comparisons;
}

/**
 * The same work in a store without the triggers that fill the queue. Its cost depends on the path of a member, not on
 * the size of the store.
 */
async function compareWrites(bench: Bench): Promise<Comparison[]> {
  const settling = bench.size.batches * BATCH * (bench.size.rounds + 1);
  const tree = Math.min(bench.size.tree, full.tree);
  const data = { members: tree, referrer: RANDOM_TREE };
  const paid = await createData(bench.server, { ...data, paid: true, buyers: `bench.zipf_buyers(${settling})` });
  const unpaid = await createData(bench.server, {
    ...data,
    buyers: `bench.zipf_buyers(${2 * transactionsOf(bench.size)})`,
  });
  const without = async (url: string) => {
    const copy = await bench.server.createDatabase(url);
    await withSql(copy, (sql) => sql`drop function app.queue_team_change() cascade`);
    return copy;
  };
  const [settledWithout, paidWithout] = [await without(paid), await without(unpaid)];
  const load = { script: SETTLE_BATCH, clients: 1, transactions: bench.size.batches, counting: SETTLED };
  const comparisons = [
    await compareLoads(
      bench,
      { name: "settle, beside a store without team totals", better: "higher", aim: 0.95 },
      { url: paid, ...load },
      { url: settledWithout, ...load },
    ),
    await compareLoads(
      bench,
      { name: "pay, beside a store without team totals", better: "higher" },
      { url: unpaid, script: PAY },
      { url: paidWithout, script: PAY },
    ),
  ];
  // What the payments have queued.
  const sum = await withSql(unpaid, async (sql) => {
    const [row] = await sql<{ queued: string }[]>`select count(*) as queued from app.team_changes`;
    return { queued: Number(row?.queued), ms: await milliseconds({ run: () => sql`call app.sum_team_totals()` }, 0) };
  });
  await bench.server.dropDatabases([paid, unpaid, settledWithout, paidWithout]);
  return [
    ...comparisons,
    {
      name: `sum of ${sum.queued} queued changes, ${tree} members, each`,
      ours: (1000 * sum.ms) / sum.queued,
      unit: "µs",
      better: "lower",
    },
  ];
}

export const team: Workload = {
  name: "team",
  title:
    "Read the team of a member above everyone, compared with that of a member above ten; write beside the team totals",
  async run(bench) {
    const members = bench.size.members.at(-1) ?? 0;
    const url = await createTeams(bench, members);
    const reads = await compareReads(bench, url, members);
    await bench.server.dropDatabases([url]);
    return [...reads, ...(await compareWrites(bench))];
  },
};
