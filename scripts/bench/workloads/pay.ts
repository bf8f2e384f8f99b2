import { compareLoads } from "../compare.ts";
import { PAY, WRITE_PAYMENT } from "../data/baselines.ts";
import { createData, transactionsOf } from "../data/load_data.ts";
import { RANDOM_TREE } from "./settle.ts";
import type { Workload } from "../workload.ts";

export const pay: Workload = {
  name: "pay",
  title: "Pay an order with queue goods",
  async run(bench) {
    const [few = 0, many = 0] = bench.size.members;
    const create = (members: number) =>
      createData(bench.server, {
        members,
        referrer: RANDOM_TREE,
        buyers: `(select array_agg(1 + floor(random() * ${members})::bigint) from generate_series(1, ${2 * transactionsOf(bench.size)}))`,
      });
    const small = await create(few);
    const large = await create(many);
    const baseline = await bench.server.createDatabase(small);
    const comparisons = [
      await compareLoads(
        bench,
        { name: `${few} members`, better: "higher", aim: 0.83, floor: 0.78 },
        { url: small, script: PAY },
        { url: baseline, script: WRITE_PAYMENT },
      ),
      await compareLoads(
        bench,
        { name: `${many} members beside ${few}`, better: "higher", aim: 0.9 },
        { url: large, script: PAY },
        { url: small, script: PAY },
      ),
    ];
    await bench.server.dropDatabases([small, large, baseline]);
    return comparisons;
  },
};
