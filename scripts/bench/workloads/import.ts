import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runImport } from "../../import/run_import.ts";
import { generateOldSystem } from "../../testing/old_system.ts";
import { connectTo } from "../bench_server.ts";
import type { Workload } from "../workload.ts";

/** Orders for each member. */
const ORDERS = 3;
/** What the import of 100,000 members and 300,000 orders may take. */
const AIM_SECONDS = 180;

export const importOldSystem: Workload = {
  name: "import",
  title: "Import another system: members, products, orders, refunds and old bill rows, with the checks and reconcile()",
  async run(bench) {
    const members = bench.size.tree;
    const baseline = (AIM_SECONDS * members) / 100_000;
    const folder = mkdtempSync(join(tmpdir(), "store-bench-import-"));
    generateOldSystem(folder, { members, orders: members * ORDERS });
    const url = await bench.server.createDatabase();
    const sql = connectTo(url);
    bench.show(`${members} members and ${members * ORDERS} orders`);
    const started = performance.now();
    const result = await runImport(sql, folder, { dryRun: false, batch: 10_000 }, () => undefined);
    const seconds = (performance.now() - started) / 1000;
    await sql.end();
    await bench.server.dropDatabases([url]);
    rmSync(folder, { recursive: true });
    if (!result.is_imported || result.differences > 0)
      throw new Error(`the import left ${result.differences} differences`);
    return [
      {
        name: `${members} members, ${members * ORDERS} orders`,
        ours: seconds,
        baseline,
        ratio: seconds / baseline,
        unit: "s",
        better: "lower",
        aim: 1,
        note: "baseline: three minutes for 100,000 members and 300,000 orders",
      },
    ];
  },
};
