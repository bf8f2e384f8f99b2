import { compareDurations, compareLoads } from "../compare.ts";
import { SETTLE } from "../data/baselines.ts";
import { drain, releaseJobs } from "../data/drain.ts";
import { createData, transactionsOf } from "../data/load_data.ts";
import type { Workload } from "../workload.ts";

const REFERRERS = 1000;
const WORKERS = 4;

export const oneRoot: Workload = {
  name: "one_root",
  title: `Settle orders of ${REFERRERS} referrers under one root, compared with ${REFERRERS} trees`,
  async run(bench) {
    const orders = transactionsOf(bench.size);
    const create = (root: string, prepare = "select") =>
      createData(bench.server, {
        members: 1 + REFERRERS + orders,
        prepare,
        paid: true,
        referrer: `case when i > ${REFERRERS + 1} then 2 + i % ${REFERRERS} when i > 1 then ${root} end`,
        buyers: `(select array_agg(i::bigint) from generate_series(${REFERRERS + 2}, ${REFERRERS + 1 + orders}) as i)`,
      });
    const apart = await create("null::bigint");
    // Nothing is left of the umbrella for the root where the referrers pass on as much: its row is no part of any
    // order.
    const underTop = await create("1", `update app.users set agent_level = 4 where uid <= ${REFERRERS + 1}`);
    const underMember = await create("1", "update app.users set agent_level = 3 where uid = 1");
    const [apartBatched, memberBatched] = [
      await bench.server.createDatabase(apart),
      await bench.server.createDatabase(underMember),
    ];
    const count = bench.size.clients * bench.size.transactions;
    const batched = (url: string, workers: number) => ({
      prepare: () => releaseJobs(url, count),
      run: () => drain(url, workers),
    });

    const top = await compareLoads(
      bench,
      { name: "root and referrers at the top grade", better: "higher", aim: 0.9 },
      { url: underTop, script: SETTLE },
      { url: apart, script: SETTLE },
    );
    // Every order writes the root's row, which one transaction at a time can do: more workers than one add nothing.
    const below = await compareDurations(
      bench,
      {
        name: `root below it and paid by every order, ${WORKERS} workers in batches, beside one worker`,
        better: "higher",
        aim: 0.8,
      },
      batched(memberBatched, WORKERS),
      batched(apartBatched, 1),
    );
    await bench.server.dropDatabases([apart, underTop, underMember, apartBatched, memberBatched]);
    const speed = (duration: number) => (count / duration) * 1000;
    return [
      top,
      { ...below, ours: speed(below.ours), baseline: speed(below.baseline), unit: "tx/s", ratio: 1 / below.ratio },
    ];
  },
};
