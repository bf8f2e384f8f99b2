import { beforeAll, describe, expect, it } from "vitest";
import { drawGrowth, drawRatios } from "../../scripts/bench/charts.ts";
import { hasValgrind } from "../../scripts/bench/instructions.ts";
import type { Result } from "../../scripts/bench/report.ts";
import { median, percentile } from "../../scripts/bench/statistics.ts";
import type { Comparison } from "../../scripts/bench/workload.ts";
import { workloads } from "../../scripts/bench/workloads/index.ts";
import { lacking, lacks } from "../../scripts/testing/context.ts";
import { longFormOnly, skipFor } from "../support/index.ts";
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

  it("says before it measures what the pages of the app need", async () => {
    const { code, output } = await run("bench", ["h5"], { STORE_LOCAL_DIR: "/nowhere" });
    expect([code, output]).toEqual([2, expect.stringContaining("npm start")]);
    expect(output).not.toContain("Postgres");
  });

  it("says before it measures what counting instructions needs", async () => {
    const { code, output } = await run("bench", ["pay", "--instructions"], { PATH: "/nowhere" });
    expect([code, output]).toEqual([2, expect.stringContaining("apt-get install valgrind")]);
    expect(output).not.toContain("Postgres");
  });
});

skipFor(describe, lacking("pgbench"))("npm run bench with very little data", () => {
  // A standby and a router need an installed server with PL/Proxy.
  const missing = [...(lacks("postgres_15") ? ["standby"] : []), ...(lacks("plproxy") ? ["router"] : [])];
  const inShortForm = ["settle", "hot_referrer", "http_order", "naive_settlement"];
  // Instructions have a test of their own, the pages of the app another in test/browser/h5_pages/app.ts.
  const names = workloads
    .map(({ name }) => name)
    .filter(
      (name) => ![...missing, "instructions", "h5"].includes(name) && (!longFormOnly || inShortForm.includes(name)),
    );
  const ifRun = (...shown: string[]) =>
    skipFor(it, shown.every((name) => names.includes(name)) ? undefined : longFormOnly);
  let size: Record<string, number>;
  let results: Result[];
  const comparisonsOf = (name: string): Comparison[] => results.find(({ workload }) => workload === name)!.comparisons;
  // One run for all tests, because setting up its server takes most of the time.
  beforeAll(async () => {
    const { code, stdout, output } = await run("bench", [...names, "--tiny", "--json"]);
    // The error stands at the end, below some hundred lines of progress.
    expect(code, output.split("\n").slice(-30).join("\n")).toBe(0);
    ({ size, results } = JSON.parse(stdout) as { size: Record<string, number>; results: Result[] });
  }, 1_800_000);

  it("runs each workload without a stack and without what a test has", ({ task }) => {
    task.meta.skipped = missing.map((name) => `the workload ${name}, which needs an installed Postgres with PL/Proxy`);
    expect(results.map(({ workload }) => workload)).toEqual(names);
    for (const { workload, comparisons } of results)
      expect([workload, comparisons.length > 0 && comparisons.every(({ ours }) => Number.isFinite(ours))]).toEqual([
        workload,
        true,
      ]);
  });

  ifRun("hot_referrer")("measures the store and a baseline and prints their ratio as JSON", () => {
    expect(size).toMatchObject({ tree: 500, rounds: 1, transactions: 8, clients: 2 });
    const [batches, single] = comparisonsOf("hot_referrer");
    expect(batches).toMatchObject({
      unit: "orders/s",
      better: "higher",
      aim: 1.3,
      floor: 1,
      details: { deadlocks: 0, hotShare: expect.any(Number) },
    });
    expect(batches!.ratio).toBeCloseTo(batches!.ours / batches!.baseline!, 6);
    expect(single).toMatchObject({ unit: "tx/s" });
  });

  it("writes the same rows with the baseline as with the store", () => {
    const { ours, baseline } = comparisonsOf("settle")[0]!.rows!;
    expect(baseline).toEqual(ours);
    // All orders of the rounds and of the warm-up.
    expect(Number(ours.settlements)).toBeGreaterThanOrEqual(2 * 4 * 50);
    for (const name of ["brokerage", "frozen_points", "level_changes", "counts"])
      expect([name, Number(ours[name]) > 0]).toEqual([name, true]);
  });

  ifRun("capacity")(
    "measures what an order costs in a store below one root, in which a nightly run finds nothing",
    () => {
      // Without --capacity, nothing is kept for npm run capacity. A nightly run with findings ends the workload with an
      // error.
      const [settle, release] = comparisonsOf("capacity").filter(({ name }) => name.endsWith("500 members"));
      expect([settle, release]).toMatchObject([
        { unit: "µs", ours: expect.any(Number) },
        { unit: "µs", ours: expect.any(Number) },
      ]);
      expect(settle!.ours).toBeGreaterThan(release!.ours);
    },
  );

  ifRun("large_store")(
    "measures what people wait for while a large store releases and reconciles in two sessions",
    () => {
      // A reconciliation with findings ends the workload with an error: people have ordered between the ranges of both
      // jobs.
      const waits = comparisonsOf("large_store").filter(({ name }) => name.endsWith("p99"));
      expect(waits.map(({ name }) => name)).toEqual(
        ["release", "reconciliation"].flatMap((job) =>
          ["place", "pay", "settle", "page"].map((step) => `${step} during the ${job}, p99`),
        ),
      );
      for (const { note } of waits) expect(note).toMatch(/^[1-9]\d* orders; /);
    },
  );

  ifRun("http_order")("measures requests over HTTP", () => {
    expect(comparisonsOf("http_order")[0]).toMatchObject({
      unit: "req/s",
      ours: expect.any(Number),
      note: expect.stringContaining("p99"),
    });
  });

  ifRun("naive_settlement")("shows what a client without locks and transactions pays twice", () => {
    const naive = comparisonsOf("naive_settlement");
    expect(naive).toMatchObject([
      { unit: "tx/s", ratio: expect.any(Number) },
      { unit: "orders", ours: 0 },
    ]);
    expect(naive[1]!.baseline).toBeGreaterThan(0);
  });
});

const uncounted = longFormOnly ?? lacking("pgbench") ?? (hasValgrind() ? undefined : "this machine lacks valgrind");

skipFor(it, uncounted)(
  "npm run bench counts the instructions of a statement and not those of the process around it",
  { timeout: 1_800_000 },
  async () => {
    const { code, stdout, output } = await run("bench", ["instructions", "--tiny", "--json"]);
    expect(code, output.split("\n").slice(-30).join("\n")).toBe(0);
    const [{ comparisons }] = (JSON.parse(stdout) as { results: [Result] }).results;
    expect(comparisons.map(({ name }) => name)).toEqual([
      ...["settle one order", "settle a batch of 50", "pay"],
      ...["me", "progress", "overview", "release_log"],
    ]);
    for (const { ours, baseline, ratio } of comparisons) {
      // The store does what the bare statement does, and more.
      expect(ours).toBeGreaterThan(baseline!);
      expect(ratio).toBe(baseline! / ours);
    }
    // Starting and stopping a server takes more than fifty million.
    expect(comparisons.find(({ name }) => name === "me")!.ours).toBeLessThan(2_000_000);
  },
);

describe("the charts of the benchmark", () => {
  const comparison = {
    ours: 7,
    baseline: 10,
    ratio: 0.7,
    unit: "tx/s",
    better: "higher" as const,
    aim: 0.8,
    floor: 0.6,
  };
  const results = [
    {
      workload: "settle",
      title: "Settle",
      comparisons: [
        { name: "within", ...comparison },
        { name: "reached", ...comparison, ratio: 0.9 },
        { name: "too slow", ...comparison, better: "lower" as const, ratio: 2 },
        { name: "without an aim", ...comparison, aim: undefined },
        { name: "10", ...comparison, aim: undefined, point: { of: "members", size: 10, milliseconds: 1.5 } },
        { name: "100", ...comparison, aim: undefined, point: { of: "members", size: 100, milliseconds: 3 } },
      ],
    },
  ];

  it("show every ratio that has an aim as a share of it", () => {
    const svg = drawRatios(results);
    expect(svg.match(/<rect [^>]*class="(\w+)"/g)?.map((bar) => bar.replace(/.*class="(\w+)"/, "$1"))).toEqual([
      "floor",
      "reached",
      "missed",
    ]);
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
