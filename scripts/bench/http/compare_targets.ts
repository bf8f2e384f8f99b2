import { median } from "../statistics.ts";
import type { Bench, Comparison } from "../workload.ts";
import { type HttpResult, runHttpLoad, type Target } from "./http_load.ts";

/** A request to measure, and the description of its comparison with the baseline. */
export type NamedTarget = Target & Pick<Comparison, "name"> & Partial<Pick<Comparison, "aim" | "floor">>;

const mostTimesP99 = 3;

const latencyNote = ({ p50, p95, p99 }: HttpResult["latency"]) =>
  `p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, p99 ${p99.toFixed(1)} ms`;

/**
 * Measures targets in turns, after a warm-up round. A ratio compares two consecutive measurements. The result is the
 * median of the ratios.
 * @param baseline the first target, with which the others are compared
 * @param onRound called after each round; round 0 is the warm-up
 */
export async function compareTargets(
  bench: Bench,
  baseline: NamedTarget,
  targets: NamedTarget[],
  onRound?: (round: number) => void,
): Promise<Comparison[]> {
  const { clients, rounds, requests } = bench.size;
  const all = [baseline, ...targets];
  const results = all.map((): HttpResult[] => []);
  await bench.server.settle();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, target] of all.entries()) {
      bench.show(`${target.name}, round ${round} of ${rounds}`);
      const result = await runHttpLoad(target, clients, requests).catch((error: unknown) => {
        throw new Error(`${target.name} failed.`, { cause: error });
      });
      if (round > 0) results[index]?.push(result);
    }
    onRound?.(round);
  }
  const speeds = results.map((ofTarget) => ofTarget.map(({ requestsPerSecond }) => requestsPerSecond));
  const tails = results.map((ofTarget) => ofTarget.map(({ latency }) => latency.p99));
  const latency = (index: number) => {
    const of = (name: keyof HttpResult["latency"]) =>
      median((results[index] ?? []).map((result) => result.latency[name]));
    return { p50: of("p50"), p95: of("p95"), p99: of("p99") };
  };
  const ratio = (values: number[][], index: number) =>
    median((values[index] ?? []).map((value, round) => value / (values[0]?.[round] as number)));
  return targets.flatMap(({ name, aim, floor }, position): Comparison[] => {
    const index = position + 1;
    const speed: Comparison = {
      name,
      aim,
      floor,
      better: "higher",
      unit: "req/s",
      ours: median(speeds[index] ?? []),
      baseline: median(speeds[0] ?? []),
      ratio: ratio(speeds, index),
      note: latencyNote(latency(index)),
    };
    // Only targets with an aim are requests of the store. The tail of the other rungs does not matter.
    if (aim === undefined) return [speed];
    return [
      speed,
      {
        name: `${name}, p99`,
        better: "lower",
        unit: "ms",
        ours: latency(index).p99,
        baseline: latency(0).p99,
        ratio: ratio(tails, index),
        aim: mostTimesP99,
      },
    ];
  });
}
