import { cpus, totalmem } from "node:os";
import type { Measured } from "../../scale/capacity/measured.ts";
import { Reference } from "../capacity/reference.ts";
import { measureDepths, measureFanOuts, measureRows } from "../capacity/measure_shapes.ts";
import { measureStore } from "../capacity/measure_store.ts";
import { withSql } from "../data/load_data.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";

async function machineOf({ server }: Bench): Promise<Measured["machine"]> {
  const url = await server.createDatabase();
  const [row] = await withSql(
    url,
    (sql) => sql<{ postgres: string; shared_buffers: string }[]>`
    select current_setting('server_version') as postgres, current_setting('shared_buffers') as shared_buffers`,
  );
  await server.dropDatabases([url]);
  const [first, ...others] = cpus();
  return { processor: first!.model.trim(), cores: others.length + 1, memory_gb: Math.round(totalmem() / 1e9), ...row! };
}

/** One line of the report for each measured size: the processor time of an order, beside a transaction of TPC-B. */
const line = (name: string, cpu: number, reference: number): Comparison => ({
  name,
  ours: cpu,
  baseline: reference,
  unit: "µs",
  ratio: cpu / reference,
  better: "lower",
});

const report = ({ stores, depths, fan_outs, rows }: Measured): Comparison[] => [
  ...stores.map(({ members, cpu, reference }) => line(`settle an order, ${members} members`, cpu.settle, reference)),
  ...stores.map(({ members, cpu, reference }) => line(`release a member, ${members} members`, cpu.release, reference)),
  ...depths.map(({ size, cpu, reference }) => line(`settle an order alone, ${size} ancestors`, cpu, reference)),
  ...fan_outs.map(({ size, cpu, reference }) => line(`settle an order alone, ${size} direct members`, cpu, reference)),
  ...rows.map(({ name, speed }): Comparison => ({
    name: `${name}, 4 sessions`,
    ours: speed,
    unit: "orders/s",
    better: "higher",
  })),
];

export const capacity: Workload = {
  name: "capacity",
  title: "What members, orders, releases and nights cost below one root, compared with TPC-B in one session",
  async run(bench) {
    const reference = await Reference.create(bench);
    const largest = Math.max(...bench.size.capacity);
    const measured: Measured = {
      date: new Date().toISOString().slice(0, 10),
      machine: await machineOf(bench),
      reference: 0,
      stores: [],
      depths: await measureDepths(bench, reference, largest),
      fan_outs: await measureFanOuts(bench, reference, largest / 10),
      rows: await measureRows(bench, reference),
    };
    for (const members of bench.size.capacity) {
      measured.stores.push(await measureStore(bench, members, reference));
      measured.reference = Math.min(...measured.stores.map((store) => store.reference));
      // The larger sizes take long: what is measured is kept if they are interrupted.
      bench.saveCapacity?.(measured);
    }
    await reference.drop();
    return report(measured);
  },
};
