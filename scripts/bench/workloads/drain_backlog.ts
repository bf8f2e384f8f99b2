import { milliseconds } from "../compare.ts";
import { BATCH, WRITE_BATCH } from "../data/baselines.ts";
import { drain } from "../data/drain.ts";
import { createData, withSql } from "../data/load_data.ts";
import { median } from "../statistics.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";
import { RANDOM_TREE } from "./settle.ts";

/** Writes bare batches until no job is left. */
const WRITE_BATCHES = `do $$ begin loop ${WRITE_BATCH} exit when not found; commit; end loop; end $$`;

/** Milliseconds per job, the median of the rounds, each on a copy of its own. */
async function perJob(
  bench: Bench,
  data: string,
  jobs: number,
  work: (url: string) => Promise<unknown>,
  rounds: number,
): Promise<number> {
  const times: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    bench.show(`${jobs} jobs, round ${round} of ${rounds}`);
    const url = await bench.server.createDatabase(data);
    times.push(await milliseconds({ prepare: () => bench.server.settle(), run: () => work(url) }, round));
    await bench.server.dropDatabases([url]);
  }
  return median(times) / jobs;
}

export const drainBacklog: Workload = {
  name: "drain",
  title: "Drain waiting jobs, compared with a bare queue that writes the same rows",
  async run(bench) {
    const comparisons: Comparison[] = [];
    for (const jobs of bench.size.backlogs) {
      // A long backlog needs no repetition.
      const rounds = jobs > 20_000 ? 1 : bench.size.rounds;
      const data = await createData(bench.server, {
        members: bench.size.tree,
        referrer: RANDOM_TREE,
        prepare: "call bench.set_grades()",
        paid: true,
        recorded: BATCH,
        buyers: `bench.zipf_buyers(${jobs})`,
      });
      const ours = await perJob(bench, data, jobs, (url) => drain(url), rounds);
      const baseline = await perJob(
        bench,
        data,
        jobs,
        (url) => withSql(url, (sql) => sql.unsafe(WRITE_BATCHES)),
        rounds,
      );
      await bench.server.dropDatabases([data]);
      comparisons.push({
        name: `${jobs} jobs`,
        ours,
        baseline,
        unit: "ms/job",
        ratio: ours / baseline,
        better: "lower",
      });
    }
    const [few, many] = [comparisons[0], comparisons.at(-1)];
    if (few && many) {
      comparisons.push({
        name: `${bench.size.backlogs.at(-1)} jobs beside ${bench.size.backlogs[0]}`,
        ours: many.ours,
        baseline: few.ours,
        unit: "ms/job",
        ratio: many.ours / few.ours,
        better: "lower",
        aim: 1.2,
      });
    }
    return comparisons;
  },
};
