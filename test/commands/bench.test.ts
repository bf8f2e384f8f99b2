import { beforeAll, describe, expect, it } from "vitest";
import { drawGrowth, drawRatios } from "../bench/charts.ts";
import type { Result } from "../bench/report.ts";
import { median, percentile } from "../bench/statistics.ts";
import type { Comparison } from "../bench/workload.ts";
import { lacks } from "../support/context.ts";
import { run } from "./run.ts";

describe("npm run bench", () => {
  it("lists its workloads", async () => {
    const { code, output } = await run("bench", ["--list"]);
    expect([code, output]).toEqual([0, expect.stringContaining("hot_referrer")]);
  });

  it.each([
    [["nothing"], "'nothing' is invalid"],
    [["--rounds", "0"], "'0' is invalid"],
    [["--members", "1000001"], "'1000001' is invalid"],
    [["--surprise"], "--surprise"],
    [["capacity", "--capacity", "10"], "Each size must be at least 1000"],
    [["capacity", "--capacity", "1000,many"], "It must be a whole number"],
  ])("rejects %j", async (args, message) => {
    expect(await run("bench", args)).toMatchObject({ code: 2, output: expect.stringContaining(message) });
  });
});

describe.skipIf(lacks("pgbench"))("npm run bench over a small store", () => {
  const workloads = ["hot_referrer", "settle", "http_order", "naive_settlement", "capacity"];
  let size: Record<string, number>;
  let measured: Comparison[][];
  // One run for all tests, because setting up its server takes most of the time.
  beforeAll(async () => {
    const { code, stdout, output } = await run("bench", [...workloads, "--members", "500", "--rounds", "1", "--transactions", "8", "--batches", "4", "--clients", "2", "--requests", "40", "--json"]);
    expect(code, output).toBe(0);
    const report = JSON.parse(stdout) as { size: Record<string, number>; results: Result[] };
    expect(report.results.map(({ workload }) => workload).sort()).toEqual([...workloads].sort());
    size = report.size;
    measured = workloads.map((name) => report.results.find(({ workload }) => workload === name)!.comparisons);
  }, 600_000);

  it("measures the store and a baseline and prints their ratio as JSON", () => {
    expect(size).toMatchObject({ tree: 500, rounds: 1, transactions: 8, clients: 2 });
    const [batches, , single] = measured[0]!;
    expect(batches).toMatchObject({ unit: "orders/s", better: "higher", aim: 1.3, floor: 1, details: { deadlocks: 0, hotShare: expect.any(Number) } });
    expect(batches!.ratio).toBeCloseTo(batches!.ours / batches!.baseline!, 6);
    expect(single).toMatchObject({ unit: "tx/s" });
  });

  it("writes the same rows with the baseline as with the store", () => {
    expect(measured[1]!.map(({ unit }) => unit)).toEqual(["orders/s", "orders/s", "tx/s"]);
    for (const { baseline } of measured[1]!) expect(baseline).toBeGreaterThan(0);
  });

  it("measures what an order costs in a store below one root, in which a nightly run finds nothing", () => {
    // Without --capacity, nothing is kept for npm run capacity. A nightly run with findings ends the workload with an error.
    const [settle, release] = measured[4]!.filter(({ name }) => name.endsWith("500 members"));
    expect([settle, release]).toMatchObject([{ unit: "µs", ours: expect.any(Number) }, { unit: "µs", ours: expect.any(Number) }]);
    expect(settle!.ours).toBeGreaterThan(release!.ours);
  });

  it("measures each step of a request over HTTP", () => {
    const [, , order, naive] = measured;
    expect(order![0]).toMatchObject({ unit: "req/s", ours: expect.any(Number), note: expect.stringContaining("p99") });
    expect(naive).toMatchObject([{ unit: "tx/s", ratio: expect.any(Number) }, { unit: "orders", ours: 0 }]);
    // Without locks and transactions, the naive client pays an order twice.
    expect(naive![1]!.baseline).toBeGreaterThan(0);
  });
});

describe("the charts of the benchmark", () => {
  const comparison = { ours: 7, baseline: 10, ratio: 0.7, unit: "tx/s", better: "higher" as const, aim: 0.8, floor: 0.6 };
  const results = [{
    workload: "settle", title: "Settle", comparisons: [
      { name: "within", ...comparison }, { name: "reached", ...comparison, ratio: 0.9 }, { name: "too slow", ...comparison, better: "lower" as const, ratio: 2 },
      { name: "without an aim", ...comparison, aim: undefined },
      { name: "10", ...comparison, aim: undefined, point: { of: "members", size: 10, milliseconds: 1.5 } }, { name: "100", ...comparison, aim: undefined, point: { of: "members", size: 100, milliseconds: 3 } },
    ],
  }];

  it("show every ratio that has an aim as a share of it", () => {
    const svg = drawRatios(results);
    expect(svg.match(/<rect [^>]*class="(\w+)"/g)?.map((bar) => bar.replace(/.*class="(\w+)"/, "$1"))).toEqual(["floor", "reached", "missed"]);
    expect(svg).not.toContain("without an aim");
  });

  it("show the cost of an order as the store grows", () => {
    expect(drawGrowth(results).match(/<circle/g)).toHaveLength(2);
    expect(drawGrowth(results)).toContain(">members<");
  });
});

describe("the numbers of the benchmark", () => {
  it("are medians and percentiles between neighbours", () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(percentile([10, 20, 30, 40, 50], 95)).toBeCloseTo(48);
    expect(percentile([7], 99)).toBe(7);
  });
});
