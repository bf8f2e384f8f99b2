import { type Measured, readMeasured } from "../../scale/capacity/measured.ts";
import { checkModel, fitWithout } from "../../scale/capacity/model.ts";
import { measureLarge } from "../capacity/measure_large.ts";
import { Reference } from "../capacity/reference.ts";
import type { Comparison, Workload } from "../workload.ts";

export const largeStore: Workload = {
  name: "large_store",
  title:
    "A large store of several trees with leaders: costs beside what npm run capacity expects, nights while people order, reads",
  async run(bench) {
    const before = readMeasured();
    const reference = await Reference.create(bench);
    const { store, large } = await measureLarge(bench, bench.size.beyond, reference);
    await reference.drop();
    const others = before.stores.filter(({ members }) => members !== store.members);
    const measured: Measured = { ...before, stores: [...others, store].sort((a, b) => a.members - b.members), large };
    bench.saveCapacity?.(measured);
    const costs = checkModel(fitWithout(measured, store.members), store, measured).map(
      ({ quantity, measured: ours, predicted }): Comparison => ({
        name: quantity,
        ours,
        baseline: predicted,
        unit: /^(cpu|night)/.test(quantity) ? "µs" : /^bill/.test(quantity) ? "rows" : "B",
        ratio: ours / predicted,
        better: "lower",
        aim: 1.35,
      }),
    );
    const waits = (["release", "reconciliation"] as const).flatMap((job) =>
      (["place", "pay", "settle", "page"] as const).map((step): Comparison => ({
        name: `${step} during the ${job}, p99`,
        ours: large[job].people[step].p99,
        baseline: large.people[step].p99,
        unit: "ms",
        ratio: large[job].people[step].p99 / large.people[step].p99,
        better: "lower",
        note: `${large[job].people.orders} orders; median ${large[job].people[step].p50.toFixed(1)} ms; ${(large[job].people.waiting * 100).toFixed(1)} % waited for a lock, at most ${large[job].people.longest_wait.toFixed(0)} ms`,
      })),
    );
    const reads = large.reads.map(({ name, cpu }): Comparison => ({
      name,
      ours: cpu / 1000,
      unit: "ms",
      better: "lower",
    }));
    return [...costs, ...waits, ...reads];
  },
};
