import { describe, expect, it } from "vitest";
import type { Capacity } from "../../scripts/scale/capacity/costs.ts";
import { capacityOf, COMPACTED_RELEASE, type Plan } from "../../scripts/scale/capacity/costs.ts";
import { fit } from "../../scripts/scale/capacity/least_squares.ts";
import { readMeasured } from "../../scripts/scale/capacity/measured.ts";
import { checkModel, fitModel, fitWithout } from "../../scripts/scale/capacity/model.ts";
import { drawCapacity } from "../../scripts/bench/capacity/chart.ts";
import { run } from "./run.ts";

const measured = readMeasured();
const unseen = [100_000, 1_000_000];

describe("the model", () => {
  it.each(unseen)("predicts every figure of a store of %d members within 35 %%, without having seen it", (members) => {
    const store = measured.stores.find((each) => each.members === members)!;
    const checks = checkModel(fitWithout(measured, ...unseen), store, measured);
    expect(checks.length).toBeGreaterThan(12);
    expect(checks.filter(({ deviation }) => !(Math.abs(deviation) <= 0.35))).toEqual([]);
  });

  it("fits at least five sizes, of which the smallest and the largest are a thousand times apart", () => {
    const sizes = measured.stores.map(({ members }) => members);
    expect(sizes.length).toBeGreaterThanOrEqual(5);
    expect(sizes.at(-1)! / sizes[0]!).toBeGreaterThanOrEqual(1000);
  });
});

describe("the fit", () => {
  const points = (value: (x: number) => number) => [1, 10, 100, 1000].map((x) => ({ terms: [1, x], value: value(x) }));

  it("finds the parts that a cost is made of", () => {
    const [fixed, each] = fit(points((x) => 7 + 3 * x));
    expect(fixed).toBeCloseTo(7);
    expect(each).toBeCloseTo(3);
  });

  it("leaves a part out rather than making it negative", () => {
    const [fixed, each] = fit(points((x) => 100 - x / 20));
    expect(fixed).toBeGreaterThan(50);
    expect(each).toBe(0);
  });

  it("rejects fewer points than parts", () => {
    expect(() => fit([{ terms: [1, 2], value: 1 }])).toThrow("1 points do not determine 2 terms");
  });
});

describe("what a store needs", () => {
  const model = fitModel(measured);
  const plan: Plan = {
    members: 100_000,
    ordersPerDay: 1_000,
    membersWithPoints: 100_000,
    peak: 5,
    hottestShare: 1,
    months: 12,
    compactedMonths: 0,
    nightHours: 6,
    nightSessions: 1,
    checkpointMinutes: 5,
    load: 0.5,
    cores: 64,
    diskTerabytes: 16,
    diskSpeed: 500,
  };
  const of = (changes: Partial<Plan>) => capacityOf(model, { ...plan, ...changes });
  const share = ({ limits }: Capacity, name: string) => limits.find((limit) => limit.name === name)!.share;

  it("is what its parts add up to", () => {
    const { disk, log } = of({});
    expect(disk.total).toBeCloseTo(disk.members + disk.orders + disk.bill + disk.events + disk.releases, 0);
    expect(log.total).toBeCloseTo(log.orders + log.releases, 0);
  });

  it("is shared by the sessions of a night: less time for each, more processors, and more log in each second", () => {
    const [one, four] = [of({}), of({ nightSessions: 4 })];
    expect(four.jobs).toEqual({ ...one.jobs, release: one.jobs.release / 4, reconcile: one.jobs.reconcile / 4 });
    expect(share(four, "daily release in its hours")).toBeCloseTo(share(one, "daily release in its hours") / 4);
    expect(share(four, "nightly reconciliation in its hours")).toBeCloseTo(
      share(one, "nightly reconciliation in its hours") / 4,
    );
    expect([one.cores.recommended, four.cores.recommended]).toEqual([2, 8]);
    expect(four.log.total).toBe(one.log.total);
    expect(four.log.peak).toBeGreaterThan(3 * one.log.peak);
    expect(four.disk).toEqual(one.disk);
  });

  it("has the events of the last 90 days, as many as there are orders for", () => {
    const events = (changes: Partial<Plan>) => of(changes).disk.events;
    expect(events({})).toBeGreaterThan(0);
    expect(events({ ordersPerDay: 10_000 })).toBeCloseTo(10 * events({}), 0);
    expect(events({ months: 1 })).toBeCloseTo((30.4 / 90) * events({}), 0);
    expect(events({ months: 3 })).toBe(events({ months: 24 }));
  });

  it("is less by the releases of the months that are compacted", () => {
    const [whole, compacted] = [of({}).disk, of({ compactedMonths: 9 }).disk];
    expect(compacted.releases).toBeCloseTo(whole.releases / 4 + 100_000 * 30.4 * 9 * COMPACTED_RELEASE, 0);
    expect({ ...compacted, releases: 0, total: 0 }).toEqual({ ...whole, releases: 0, total: 0 });
  });

  it("grows with members, and with orders", () => {
    const [small, members, orders] = [
      of({}),
      of({ members: 1_000_000, membersWithPoints: 1_000_000 }),
      of({ ordersPerDay: 10_000 }),
    ];
    expect(members.jobs.release).toBeGreaterThan(9 * small.jobs.release);
    expect(members.disk.total).toBeGreaterThan(5 * small.disk.total);
    expect(orders.cores.orders).toBeCloseTo(10 * small.cores.orders);
    expect(orders.jobs.release).toBe(small.jobs.release);
  });

  it("costs nothing for releases without points, and nothing for orders without orders", () => {
    expect(of({ membersWithPoints: 0 })).toMatchObject({
      disk: { releases: 0 },
      jobs: { release: 0 },
      log: { releases: 0 },
    });
    expect(of({ ordersPerDay: 0 })).toMatchObject({
      disk: { orders: 0, bill: 0 },
      cores: { orders: 0, recommended: 2 },
      log: { orders: 0 },
    });
  });

  it("is limited by one row only as far as the orders share it", () => {
    const [all, tenth] = [of({}), of({ hottestShare: 0.1 })].map((result) =>
      share(result, "one row that orders share"),
    );
    expect(tenth).toBeCloseTo(all! / 10);
  });

  it("lists what is needed most first", () => {
    const shares = of({}).limits.map((limit) => limit.share);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
  });

  it("counts the ancestors of a tree that is deeper than a random one", () => {
    expect(of({ depth: 1_000 }).order.settle).toBeGreaterThan(2 * of({}).order.settle);
  });
});

describe("npm run capacity", () => {
  it("prints what a store needs, what limits it first, and how well the model is checked", async () => {
    const { code, output } = await run("capacity", ["--members", "50000", "--orders-per-day", "500"]);
    expect(code, output).toBe(0);
    for (const text of [
      "50,000 members below one root, 500 orders a day",
      "daily release",
      "What limits it first",
      "Assumptions:",
      "differs from what was measured there by at most",
    ])
      expect(output).toContain(text);
    expect(output).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("prints JSON, with 1 % of the members as orders of a day", async () => {
    const { code, stdout } = await run("capacity", ["--members", "50000", "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { plan: { ordersPerDay: 500, membersWithPoints: 50_000 }, fits: true, measured: measured.date },
    ]);
  });

  it("exits with 1 and says what to do if a store does not fit", async () => {
    const { code, output } = await run("capacity", ["--members", "100000000", "--disk", "1"]);
    expect([code, output]).toEqual([1, expect.stringContaining("compact the releases of sealed months")]);
  });

  it.each([
    [["--members", "0"], "It must be a whole number from 1 to"],
    [["--members", "-5"], "It must be a whole number from 1 to"],
    [["--members", "100000000000"], "It must be a whole number from 1 to"],
    [["--members", "many"], "It must be a whole number from 1 to"],
    [["--orders-per-day", "-1"], "It must be a whole number from 0 to"],
    [["--orders-per-day", "1.5"], "It must be a whole number from 0 to"],
    [["--peak", "0.5"], "It must be a number from 1 to 1000"],
    [["--hottest-share", "1.1"], "It must be a number from 0 to 1"],
    [["--hottest-share", "-0.1"], "It must be a number from 0 to 1"],
    [["--members", "10", "--members-with-points", "11"], "more members with points than members"],
    [["--months", "3", "--compacted-months", "4"], "more compacted months than months"],
    [["--members", "10", "--depth", "10"], "as many ancestors as the store has members"],
  ])("rejects %j with status 2", async (args, message) => {
    expect(await run("capacity", args)).toMatchObject({ code: 2, output: expect.stringContaining(message) });
  });
});

it("the chart of the costs has a dot for every measured point", () => {
  const { stores, depths, fan_outs } = measured;
  expect(drawCapacity(measured).match(/<circle/g)).toHaveLength(4 * stores.length + depths.length + fan_outs.length);
});
