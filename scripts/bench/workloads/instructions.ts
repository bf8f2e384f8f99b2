import { BATCH, PAY, SETTLE, SETTLE_BATCH, WRITE_BATCH, WRITE_PAYMENT } from "../data/baselines.ts";
import { createData, withSql } from "../data/load_data.ts";
import { type Statement, withCounter } from "../instructions.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";
import { createReadStore } from "./http_reads.ts";
import { createReads } from "./reads.ts";
import { createTree, RANDOM_TREE } from "./settle.ts";

/**
 * How often a statement is executed: in the server, before its data are copied, and in each of the two runs whose
 * difference is the count.
 */
interface Times {
  before: number;
  fewer: number;
  more: number;
}

/** A statement of the store, and the bare one beside it. */
interface Pair extends Pick<Comparison, "name" | "aim" | "floor"> {
  times: Times;
  ours: Statement;
  bare: Statement;
}

const ONE: Times = { before: 300, fewer: 20, more: 120 };
const BATCHES: Times = { before: 6, fewer: 8, more: 24 };

const EXPECTED = {
  me: { aim: 0.46, floor: 0.42 },
  progress: { aim: 0.63, floor: 0.58 },
  overview: { aim: 0.68, floor: 0.62 },
  release_log: { aim: 0.49, floor: 0.45 },
};

/** The statements that write, each in a store of its own. */
async function createWrites(bench: Bench, one: Times, batches: Times): Promise<Pair[]> {
  const { server, size } = bench;
  const all = ({ before, fewer, more }: Times) => before + fewer + more;
  const buyers = `(select array_agg(1 + floor(random() * ${size.tree})::bigint) from generate_series(1, ${all(one)}))`;
  const unpaid = await createData(server, { members: size.tree, referrer: RANDOM_TREE, buyers });
  const single = await createTree(bench, all(one), 1);
  const batched = await createTree(bench, all(batches) * BATCH, BATCH);
  const pair = async (name: string, times: Times, url: string, ours: string, bare: string): Promise<Pair> => ({
    name,
    times,
    ours: { url: await server.createDatabase(url), sql: ours },
    bare: { url, sql: bare },
  });
  const pairs = [
    await pair("settle one order", one, single, SETTLE, WRITE_BATCH),
    await pair(`settle a batch of ${BATCH}`, batches, batched, SETTLE_BATCH, WRITE_BATCH),
    await pair("pay", one, unpaid, PAY, WRITE_PAYMENT),
  ];
  // Plans for tables that are empty would not be those of a store in use.
  for (const { times, ours, bare } of pairs)
    for (const { url, sql: statement } of [ours, bare])
      await withSql(url, async (sql) => {
        for (let time = 1; time <= times.before; time += 1) await sql.unsafe(statement);
        await sql`vacuum analyze`;
      });
  return pairs;
}

async function createPairs(bench: Bench): Promise<Pair[]> {
  const shareOf = ({ before, fewer, more }: Times): Times => {
    const share = (times: number) => Math.ceil(times * bench.size.share);
    return { before: share(before), fewer: share(fewer), more: share(more) };
  };
  bench.show("creating the stores");
  const url = await createReadStore(bench);
  const reads = await createReads(url);
  return [
    ...(await createWrites(bench, shareOf(ONE), shareOf(BATCHES))),
    ...reads.map(({ name, ours, bare }): Pair => ({
      name,
      times: shareOf(ONE),
      ...EXPECTED[name],
      ours: { url, sql: ours },
      bare: { url, sql: bare },
    })),
  ];
}

export const instructions: Workload = {
  name: "instructions",
  title: "Instructions of one statement, compared with those of the bare one (--instructions)",
  async run(bench) {
    const pairs = await createPairs(bench);
    const comparisons = await withCounter(bench.server, async (count) => {
      const counted: Comparison[] = [];
      for (const { name, aim, floor, times, ...of } of pairs) {
        bench.show(`${name}, the store`);
        const ours = await count(of.ours, times);
        bench.show(`${name}, the bare statement`);
        const baseline = await count(of.bare, times);
        counted.push({
          name,
          ours,
          baseline,
          unit: "instructions",
          ratio: baseline / ours,
          better: "higher",
          aim,
          floor,
        });
      }
      return counted;
    });
    await bench.server.dropDatabases([...new Set(pairs.flatMap(({ ours, bare }) => [ours.url, bare.url]))]);
    return comparisons;
  },
};
