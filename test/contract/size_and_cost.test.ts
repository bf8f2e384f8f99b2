import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { documentOfSizes } from "../../scripts/generate/size_document.ts";
import { type Plan, usualPlan } from "../../scripts/scale/capacity/costs.ts";
import { readMeasured } from "../../scripts/scale/capacity/measured.ts";
import { fitModel } from "../../scripts/scale/capacity/model.ts";
import { priceOfStore, sizeOf } from "../../scripts/scale/capacity/size.ts";

const model = fitModel(readMeasured());
const size = (members: number, changes: Partial<Plan> = {}, database?: number) =>
  sizeOf(model, { ...usualPlan(members), ...changes }, database);
const price = (members: number, hasRecovery: boolean) => priceOfStore(usualPlan(members), size(members), hasRecovery)!;

it("the tables of docs/size_and_cost.md are those of the calculation", () => {
  const { path, content } = documentOfSizes();
  expect(readFileSync(path, "utf8") === content, "docs/size_and_cost.md is out of date; run: npm run gen").toBe(true);
});

describe("the compute size of a store", () => {
  it.each([
    [10, "Micro"],
    [10.1, "Small"],
    [100, "Medium"],
    [10_000, "16XL"],
    [10_001, undefined],
  ])("follows from a database of %d GB: %s", (gigabytes, name) => {
    expect(size(1_000, {}, gigabytes * 1e9).compute?.name).toBe(name);
  });

  it("has memory for the rows of the members, however small the database is", () => {
    expect(size(2_000_000, {}, 1e9).compute!.memory).toBeGreaterThan(size(200_000, {}, 1e9).compute!.memory);
  });

  it("has a connection for each session of the night", () => {
    const [one, four, five] = [1, 4, 5].map((nightSessions) => size(1_000, { nightSessions }));
    expect([four!.connections - one!.connections, five!.connections - one!.connections]).toEqual([3, 4]);
    expect([four!.compute!.name, five!.compute!.name]).toEqual(["Micro", "Small"]);
  });

  it("has processors for the orders of the busiest second", () => {
    expect(size(1_000, { ordersPerDay: 50_000_000 }, 1e9).compute!.processors).toBeGreaterThan(2);
  });
});

describe("the database of a store", () => {
  it("grows each year by its orders and releases, and less if they are compacted", () => {
    const [year, two] = [size(20_000), size(20_000, { months: 24 })];
    expect(two.database - year.database).toBeCloseTo(year.growth, -3);
    expect(size(20_000, { compactedMonths: 10 }).growth).toBeLessThan(year.growth / 4);
  });
});

describe("the price of a store", () => {
  // https://supabase.com/docs/guides/platform/manage-your-usage/point-in-time-recovery, the example of one project.
  it("is that of the plan for a small one, and with recovery that of Small", () => {
    expect([price(1_000, false).total, price(1_000, true).total]).toEqual([25, 130]);
  });

  it("has disk, active users, invocations and egress beyond what the plan includes", () => {
    expect(price(20_000, false)).toMatchObject({ disk: 0, use: 0 });
    const { server, disk, use, total } = price(2_000_000, false);
    expect(disk).toBeGreaterThan(0);
    // 600,000 users, 60 million requests, 600 GB.
    expect(use).toBeCloseTo(500_000 * 0.00325 + 58 * 2 + 350 * 0.09);
    expect(total).toBe(server + disk + use);
  });

  it("is not known for a store that is too large for every compute size", () => {
    expect(priceOfStore(usualPlan(200_000_000), size(200_000_000), false)).toBeUndefined();
  });
});
