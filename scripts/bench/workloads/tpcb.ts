import { join } from "node:path";
import { runCommand } from "../../ground/run_command.ts";
import { runPgbench } from "../pgbench.ts";
import { median } from "../statistics.ts";
import type { LoadResult } from "../pgbench.ts";
import type { Workload } from "../workload.ts";

const SCALE = 20;

/** TPC-B of pgbench: a reference value of the machine, to compare runs of the benchmark. */
export const tpcb: Workload = {
  name: "tpcb",
  title: "Reference: pgbench's own TPC-B",
  async run({ server, size, show }) {
    const url = await server.createDatabase();
    await runCommand(join(server.bin, "pgbench"), ["--initialize", "--quiet", `--scale=${SCALE * size.share}`, url]);
    const results: LoadResult[] = [];
    for (let round = 1; round <= size.rounds; round += 1) {
      show(`round ${round} of ${size.rounds}`);
      results.push(
        await runPgbench(server.bin, url, {
          script: "tpcb-like",
          clients: size.clients,
          transactions: size.transactions,
        }),
      );
    }
    await server.dropDatabases([url]);
    return [
      {
        name: `scale ${SCALE * size.share}`,
        ours: median(results.map((result) => result.transactionsPerSecond)),
        unit: "tx/s",
        better: "higher",
        details: results.at(-1),
      },
    ];
  },
};
