import { connectTo } from "../bench_server.ts";
import { milliseconds } from "../compare.ts";
import { drain } from "../data/drain.ts";
import { createData } from "../data/load_data.ts";
import { sessionMemory } from "../session_memory.ts";
import { median } from "../statistics.ts";
import type { Comparison, Workload } from "../workload.ts";
import { RANDOM_TREE } from "./settle.ts";

const ROUNDS = 3;

export const simulate: Workload = {
  name: "simulate",
  title: "Simulate a period, compared with settling its orders in batches",
  async run(bench) {
    const comparisons: Comparison[] = [];
    for (const orders of bench.size.simulated) {
      const url = await createData(bench.server, {
        members: bench.size.tree,
        referrer: RANDOM_TREE,
        prepare: "call bench.set_grades()",
        paid: true,
        buyers: `bench.zipf_buyers(${orders})`,
      });
      bench.show(`settling ${orders} orders`);
      const settling = await milliseconds({ run: () => drain(url) }, 0);
      await bench.server.analyze([url]);
      const times: number[] = [];
      let memory: number | undefined;
      for (let round = 1; round <= ROUNDS; round += 1) {
        bench.show(`${orders} orders, round ${round} of ${ROUNDS}`);
        const sql = connectTo(url);
        times.push(
          await milliseconds(
            { run: () => sql`select app.simulate(null, null, now() - interval '1 hour', now(), ${orders})` },
            round,
          ),
        );
        memory = await sessionMemory(sql);
        await sql.end();
      }
      await bench.server.dropDatabases([url]);
      comparisons.push({
        name: `${orders} orders`,
        ours: median(times),
        baseline: settling,
        unit: "ms",
        ratio: median(times) / settling,
        better: "lower",
        aim: 0.15,
        floor: 0.25,
        note: memory === undefined ? undefined : `${memory} MB of memory in the session`,
      });
    }
    return comparisons;
  },
};
