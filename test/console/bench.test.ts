import { describe, expect, it } from "vitest";
import { median, percentile } from "../bench/statistics.ts";
import { run } from "./run.ts";

describe("npm run bench", () => {
  it("names its workloads", async () => {
    const { code, output } = await run("bench", ["--list"]);
    expect([code, output]).toEqual([0, expect.stringContaining("hot_referrer")]);
  });

  it.each([
    [["nothing"], "'nothing' is invalid"],
    [["--rounds", "0"], "'0' is invalid"],
    [["--surprise"], "--surprise"],
  ])("refuses %j", async (args, message) => {
    expect(await run("bench", args)).toMatchObject({ code: 2, output: expect.stringContaining(message) });
  });

  it("measures ours beside a baseline and prints the ratio as JSON", async () => {
    const { code, stdout } = await run("bench", ["hot_referrer", "--rounds", "1", "--transactions", "8", "--batches", "4", "--clients", "2", "--json"]);
    expect(code).toBe(0);
    const { size, results } = JSON.parse(stdout);
    expect(size).toMatchObject({ rounds: 1, transactions: 8, clients: 2 });
    const [batches, , single] = results[0].comparisons;
    expect(batches).toMatchObject({ unit: "orders/s", better: "higher", aim: 1.3, floor: 1, details: { deadlocks: 0, hotShare: expect.any(Number) } });
    expect(batches.ratio).toBeCloseTo(batches.ours / batches.baseline, 6);
    expect(single).toMatchObject({ unit: "tx/s" });
  });

  it("writes the rows that the store writes, and reads what the store answers", async () => {
    const { code, stdout } = await run("bench", ["settle", "reads", "--rounds", "1", "--transactions", "8", "--batches", "4", "--requests", "40", "--clients", "2", "--json"]);
    expect(code).toBe(0);
    const [settle, reads] = JSON.parse(stdout).results;
    expect(settle.comparisons.map(({ unit }: { unit: string }) => unit)).toEqual(["orders/s", "orders/s", "tx/s"]);
    expect(reads.comparisons.map(({ name }: { name: string }) => name)).toEqual(["me", "progress", "overview", "release_log"]);
  });

  it("measures over HTTP, rung by rung", async () => {
    const { code, stdout } = await run("bench", ["http_order", "naive_settlement", "--rounds", "1", "--requests", "40", "--transactions", "8", "--clients", "2", "--json"]);
    expect(code).toBe(0);
    const [order, naive] = JSON.parse(stdout).results;
    expect(order.comparisons[0]).toMatchObject({ unit: "req/s", ours: expect.any(Number), note: expect.stringContaining("p99") });
    expect(naive.comparisons).toMatchObject([{ unit: "tx/s", ratio: expect.any(Number) }, { unit: "orders", ours: 0 }]);
    // What it is for: without locks and transactions an order is paid twice.
    expect(naive.comparisons[1].baseline).toBeGreaterThan(0);
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
