import { compareLoads, SETTLED } from "../compare.ts";
import { BATCH, SETTLE_BATCH } from "../data/baselines.ts";
import { drain, releaseJobs } from "../data/drain.ts";
import { createData } from "../data/load_data.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";
import { RANDOM_TREE } from "./settle.ts";

const AIM = 0.9;

/** Creates a store with a number of members, settled orders and waiting orders. */
async function createStore(bench: Bench, members: number, history: number): Promise<string> {
  const waiting = bench.size.batches * BATCH * (bench.size.rounds + 1);
  const url = await createData(bench.server, {
    members,
    referrer: RANDOM_TREE,
    prepare: "call bench.set_grades()",
    paid: true,
    buyers: `bench.zipf_buyers(${history + waiting})`,
  });
  if (history > 0) {
    bench.show(`settling ${history} orders`);
    await releaseJobs(url, history);
    await drain(url);
    await releaseJobs(url, waiting);
    await bench.server.analyze([url]);
  }
  return url;
}

/** Compares the same load on a store of each size with the smallest store. */
async function compareSizes(
  bench: Bench,
  of: string,
  sizes: number[],
  create: (size: number) => Promise<string>,
): Promise<Comparison[]> {
  const load = {
    script: SETTLE_BATCH,
    clients: 1,
    transactions: Math.floor(bench.size.batches / 2),
    counting: SETTLED,
  };
  const comparisons: Comparison[] = [];
  const [least = 0, ...larger] = sizes;
  for (const size of larger) {
    const [small, large] = [await create(least), await create(size)];
    const compared = await compareLoads(
      bench,
      { name: `${of}: ${size} beside ${least}`, better: "higher", aim: AIM },
      { url: large, ...load },
      { url: small, ...load },
    );
    if (comparisons.length === 0)
      comparisons.push({
        name: `${of}: ${least}`,
        ours: compared.baseline,
        unit: "orders/s",
        better: "higher",
        point: { of, size: least, milliseconds: 1000 / compared.baseline },
      });
    comparisons.push({ ...compared, point: { of, size, milliseconds: 1000 / compared.ours } });
    await bench.server.dropDatabases([small, large]);
  }
  return comparisons;
}

export const growth: Workload = {
  name: "growth",
  title: "Settle orders in batches as members and history grow",
  run: async (bench) => [
    ...(await compareSizes(bench, "members", bench.size.members, (members) => createStore(bench, members, 0))),
    ...(await compareSizes(bench, "orders settled before", [0, ...bench.size.simulated], (history) =>
      createStore(bench, bench.size.tree, history),
    )),
  ],
};
