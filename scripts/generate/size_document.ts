import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COMPACTED_RELEASE, type Plan, usualPlan } from "../scale/capacity/costs.ts";
import { readMeasured } from "../scale/capacity/measured.ts";
import { fitModel, type Model } from "../scale/capacity/model.ts";
import { ASSUMED, COMPACT_FROM, type Price, priceOfStore, type Size, sizeOf } from "../scale/capacity/size.ts";
import { COMPUTE_SIZES, PRICES, SOURCES } from "../scale/capacity/supabase.ts";
import { Problem } from "../ground/problem.ts";
import { projectRoot } from "../ground/paths.ts";
import { tableBelow } from "./document_table.ts";
import type { GeneratedFile } from "./openapi_files.ts";

const SIZES = [1_000, 20_000, 200_000, 2_000_000];

const whole = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 0 });
const two = (value: number) => {
  const rounded = Number(value.toPrecision(2));
  return rounded >= 100 ? whole(rounded) : String(rounded);
};
const bytes = (value: number) => (value >= 1e8 ? `${two(value / 1e9)} GB` : `${two(value / 1e6)} MB`);

/** A store of the table, without and with compaction. */
interface Column {
  plan: Plan;
  usual: Size;
  compacted: Size;
}

function columnOf(model: Model, members: number): Column {
  const plan = usualPlan(members);
  return {
    plan,
    usual: sizeOf(model, plan),
    compacted: sizeOf(model, { ...plan, compactedMonths: plan.months - ASSUMED.wholeMonths }),
  };
}

function sizeRows(model: Model): string[][] {
  const columns = SIZES.map((members) => columnOf(model, members));
  const row = (name: string, cell: (column: Column) => string) => [name, ...columns.map(cell)];
  const compute = ({ compute }: Size) => (compute ? `${compute.name} (${compute.connections})` : "larger than 16XL");
  const cost = (part: keyof Price, hasRecovery: boolean, kind: "usual" | "compacted") => (column: Column) => {
    const price = priceOfStore(column.plan, column[kind], hasRecovery);
    return price ? whole(price[part]) : "on request";
  };
  return [
    row("paid orders a day", ({ plan }) => whole(plan.ordersPerDay)),
    row("database after a year", ({ usual }) => bytes(usual.database)),
    row("… compacted", ({ compacted }) => bytes(compacted.database)),
    row("growth in each further year", ({ usual }) => bytes(usual.growth)),
    row("… compacted", ({ compacted }) => bytes(compacted.growth)),
    row("write-ahead log of a day; a year", ({ usual }) => `${bytes(usual.log)}; ${bytes(usual.log * 365)}`),
    row("requests of the busiest second", ({ usual }) => two(usual.requests)),
    row("connections at most", ({ usual }) => whole(usual.connections)),
    row("compute size (its connections)", ({ usual }) => compute(usual)),
    row("… compacted", ({ compacted }) => compute(compacted)),
    row("plan and compute, USD a month", cost("server", false, "usual")),
    row("disk", cost("disk", false, "usual")),
    row("users, functions, egress", cost("use", false, "usual")),
    row("**sum, with daily backups**", cost("total", false, "usual")),
    row("… compacted", cost("total", false, "compacted")),
    row("**sum, with point-in-time recovery**", cost("total", true, "usual")),
    row("… compacted", cost("total", true, "compacted")),
  ];
}

function assumptionRows(model: Model): string[][] {
  const members = 200_000;
  const { ordersPerDay, peak } = usualPlan(members);
  const percent = (share: number) => `${two(share * 100)} %`;
  const release = model.disk("release_bill_row", members) + model.disk("release_log_row", members);
  const rows = (["member", "order", "order_bill_row"] as const).map((name) => whole(model.disk(name, members)));
  return [
    ["bytes of a member, an order, a bill row, a release", [...rows, whole(release)].join(", "), "measured"],
    ["bill rows of an order", two(model.billRowsPerOrder(members)), "measured"],
    ["bytes of a compacted release", String(COMPACTED_RELEASE), "measured"],
    ["a new store in a new project", bytes(ASSUMED.newStore), "18 MB measured, and those of Supabase"],
    ["bytes of an account in Auth", whole(ASSUMED.account), "estimated"],
    ["members with frozen points", "all", "the worst case"],
    ["members who order on a day", percent(ordersPerDay / members), "estimated"],
    ["members who are active in a month", percent(ASSUMED.activeShare), "estimated"],
    ["requests of an active member in a month", String(ASSUMED.requests), "estimated"],
    ["bytes of a response", whole(ASSUMED.response), "estimated"],
    ["busiest second, as a multiple of the mean", String(peak), "estimated"],
    [
      "connections: functions, jobs, people, Supabase",
      Object.values(ASSUMED.connections).join(" + "),
      "two instances; due in one minute; estimated",
    ],
    ["memory for the rows of members", percent(ASSUMED.memoryShare), "estimated"],
    ["disk for each GB of database", `${ASSUMED.diskFactor} GB`, "estimated"],
    ["months not compacted", String(ASSUMED.wholeMonths), "the current and the last one"],
    ["compact from", `${whole(COMPACT_FROM)} members with points`, "chosen"],
  ];
}

function priceRows(): string[][] {
  const included = ({ included: amount }: { included: number }, unit: string) => `${whole(amount)} ${unit}`;
  return [
    ["plan Pro", String(PRICES.plan), "", SOURCES.plan],
    [
      `compute ${COMPUTE_SIZES.slice(0, 6)
        .map(({ name }) => name)
        .join(", ")}`,
      COMPUTE_SIZES.slice(0, 6)
        .map(({ price }) => price)
        .join(", "),
      `${PRICES.computeCredit} USD`,
      SOURCES.compute,
    ],
    ["a gigabyte of disk (gp3)", String(PRICES.disk.price), included(PRICES.disk, "GB"), SOURCES.disk],
    [
      `point-in-time recovery of 7 days, needs ${PRICES.recovery.smallest}`,
      String(PRICES.recovery.price),
      "",
      SOURCES.recovery,
    ],
    ["an active user of Auth", String(PRICES.users.price), included(PRICES.users, ""), SOURCES.users],
    [
      "a million invocations of functions",
      String(PRICES.functions.price),
      included(PRICES.functions, "million"),
      SOURCES.functions,
    ],
    ["a gigabyte of egress", String(PRICES.egress.price), included(PRICES.egress, "GB"), SOURCES.egress],
    ["an IPv4 address, not needed", String(PRICES.ipv4), "", SOURCES.ipv4],
  ].map(([what, price, amount, source]) => [what!, price!, amount!.trim(), `[Supabase](${source})`]);
}

const line = (cells: string[]) => `| ${cells.join(" | ")} |\n`;
const headOf = (...titles: string[]) => `${line(titles)}|${"---|".repeat(titles.length)}\n`;

/** docs/size_and_cost.md with its tables, as the model and the copied prices give them. */
export function documentOfSizes(): GeneratedFile {
  const path = join(projectRoot, "docs/size_and_cost.md");
  const model = fitModel(readMeasured());
  const tables: [head: string, rows: string[][]][] = [
    [headOf("members", ...SIZES.map(whole)), sizeRows(model)],
    [headOf("assumption", "value", "source"), assumptionRows(model)],
    [headOf("price", "USD a month", "included", "copied from"), priceRows()],
  ];
  const content = tables.reduce(
    (text, [head, rows]) => {
      const changed = tableBelow(text, head, rows.map(line));
      if (changed === undefined)
        throw new Problem(`${path} has no table with this head:\n${head}`, "Put the head back.");
      return changed;
    },
    readFileSync(path, "utf8"),
  );
  return { path, content };
}
