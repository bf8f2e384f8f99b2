import { milliseconds } from "../compare.ts";
import { PAY } from "../data/baselines.ts";
import { createData } from "../data/load_data.ts";
import { runPgbench } from "../pgbench.ts";
import { median } from "../statistics.ts";
import type { Workload } from "../workload.ts";
import { FROZEN_POINTS, releaseDay } from "./release.ts";
import { RANDOM_TREE } from "./settle.ts";

/** Pays and settles an order, like a request and its background work. */
const PAY_AND_SETTLE = `${PAY}\nselect app.settle_order(currval('bench.next_order'), clock_timestamp());`;

export const releaseBesideSettlement: Workload = {
  name: "release_beside_settlement",
  title: "Release while orders are paid and settled at half of what is possible, compared with each alone",
  async run(bench) {
    const { clients, transactions, rounds } = bench.size;
    const members = bench.size.released[1] ?? 0;
    const url = await createData(bench.server, {
      members,
      referrer: RANDOM_TREE,
      prepare: `${FROZEN_POINTS}; call bench.set_grades()`,
      buyers: `bench.zipf_buyers(${clients * transactions * (2 * rounds + 3)})`,
    });
    let day = 0;
    const release = () => {
      day += 1;
      return releaseDay(url, day);
    };
    const load = { script: PAY_AND_SETTLE, clients, transactions };
    await runPgbench(bench.server.bin, url, load);
    await bench.server.analyze([url]);
    const rate = Math.round((await runPgbench(bench.server.bin, url, load)).transactionsPerSecond / 2);

    const p99 = { alone: [] as number[], beside: [] as number[] };
    const duration = { alone: [] as number[], beside: [] as number[] };
    let deadlocks = 0;
    for (let round = 1; round <= rounds; round += 1) {
      bench.show(`round ${round} of ${rounds}`);
      p99.alone.push((await runPgbench(bench.server.bin, url, { ...load, rate })).latency.p99);
      duration.alone.push(await milliseconds({ run: release }, round));
      const [beside, took] = await Promise.all([
        runPgbench(bench.server.bin, url, { ...load, rate }),
        milliseconds({ run: release }, round),
      ]);
      p99.beside.push(beside.latency.p99);
      duration.beside.push(took);
      deadlocks += beside.deadlocks;
    }
    await bench.server.dropDatabases([url]);
    const compare = (name: string, { alone, beside }: { alone: number[]; beside: number[] }, aim: number) => ({
      name,
      ours: median(beside),
      baseline: median(alone),
      unit: "ms",
      better: "lower" as const,
      aim,
      ratio: median(beside.map((value, round) => value / (alone[round] as number))),
    });
    return [
      {
        ...compare("p99 of an order", p99, 2),
        note: `${rate} orders/s over ${members} members; ${deadlocks} deadlocks`,
      },
      compare("duration of the release", duration, 1.5),
    ];
  },
};
