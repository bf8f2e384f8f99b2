import { type Load, type LoadResult, runPgbench } from "./pgbench.ts";
import { withConnection } from "../postgres/database_server.ts";
import { median } from "./statistics.ts";
import type { Bench, Comparison } from "./workload.ts";

/** One side of a comparison. */
export interface Side {
  url: string;
  script: string;
  /** The default is the number given by the size. */
  clients?: number;
  transactions?: number;
  /** SQL of a count. If given, the growth of the count is compared instead of the transactions. */
  counting?: string;
}

/** Counts the settled orders. */
export const SETTLED = "select count(*) as count from app.settlements";

/** The description of a comparison. */
export type Claim = Pick<Comparison, "name" | "better"> & Partial<Pick<Comparison, "aim" | "floor" | "note">>;

/** The round with the median speed. */
function middle(results: LoadResult[]): LoadResult {
  const sorted = [...results].sort((a, b) => a.transactionsPerSecond - b.transactionsPerSecond);
  return sorted[Math.floor(sorted.length / 2)] as LoadResult;
}

/** One round of one side. */
async function runSide(bench: Bench, side: Side): Promise<LoadResult> {
  const load: Load = {
    script: side.script,
    clients: side.clients ?? bench.size.clients,
    transactions: side.transactions ?? bench.size.transactions,
  };
  if (!side.counting) return runPgbench(bench.server.bin, side.url, load);
  const before = await countOf(side.url, side.counting);
  const result = await runPgbench(bench.server.bin, side.url, load);
  const each = ((await countOf(side.url, side.counting)) - before) / (load.clients * load.transactions);
  return { ...result, transactionsPerSecond: result.transactionsPerSecond * each };
}

const countOf = (url: string, counting: string) =>
  withConnection(url, async (sql) => Number((await sql.unsafe<{ count: string }[]>(counting))[0]?.count));

/**
 * Measures both sides in turns, so that other load of the machine affects both: one warm-up round, then the rounds
 * given by the size. A ratio compares two consecutive rounds. The result is the median of the ratios.
 */
export async function compareLoads(
  bench: Bench,
  claim: Claim,
  ours: Side,
  baseline: Side,
): Promise<Comparison & { ratio: number; baseline: number }> {
  const results: { ours: LoadResult[]; baseline: LoadResult[] } = { ours: [], baseline: [] };
  await bench.server.settle();
  for (let round = 0; round <= bench.size.rounds; round += 1) {
    bench.show(`${claim.name}, round ${round} of ${bench.size.rounds}`);
    const ofOurs = await runSide(bench, ours);
    const ofBaseline = await runSide(bench, baseline);
    if (round === 0) {
      // Tables that were empty have rows now. autovacuum would analyze them, too.
      await bench.server.analyze([ours.url, baseline.url]);
      continue;
    }
    results.ours.push(ofOurs);
    results.baseline.push(ofBaseline);
  }
  const speed = (result: LoadResult) => result.transactionsPerSecond;
  return {
    ...claim,
    ours: median(results.ours.map(speed)),
    baseline: median(results.baseline.map(speed)),
    unit: ours.counting ? "orders/s" : "tx/s",
    ratio: median(results.ours.map((result, round) => speed(result) / speed(results.baseline[round] as LoadResult))),
    details: middle(results.ours),
  };
}

/** One side of a comparison of durations. */
export interface Work {
  /** Runs before each measurement and is not measured. Round 0 is the warm-up. */
  prepare?(round: number): Promise<unknown>;
  run(round: number): Promise<unknown>;
}

/** Measures the durations of two pieces of work in turns, in milliseconds. */
export async function compareDurations(
  bench: Bench,
  claim: Claim,
  ours: Work,
  baseline: Work,
  rounds = bench.size.rounds,
): Promise<Comparison & { ratio: number; baseline: number }> {
  const times: { ours: number[]; baseline: number[] } = { ours: [], baseline: [] };
  await bench.server.settle();
  for (let round = 0; round <= rounds; round += 1) {
    bench.show(`${claim.name}, round ${round} of ${rounds}`);
    const ofOurs = await milliseconds(ours, round);
    const ofBaseline = await milliseconds(baseline, round);
    if (round === 0) continue;
    times.ours.push(ofOurs);
    times.baseline.push(ofBaseline);
  }
  return {
    ...claim,
    ours: median(times.ours),
    baseline: median(times.baseline),
    unit: "ms",
    ratio: median(times.ours.map((time, round) => time / (times.baseline[round] as number))),
  };
}

/** Measures one round. */
export async function milliseconds({ prepare, run }: Work, round: number): Promise<number> {
  await prepare?.(round);
  const started = performance.now();
  await run(round);
  return performance.now() - started;
}
