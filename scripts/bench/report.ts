import { printTable } from "../command_line/table.ts";
import { style } from "../ground/progress.ts";
import type { Comparison } from "./workload.ts";

/** The result of a workload. */
export interface Result {
  workload: string;
  title: string;
  comparisons: Comparison[];
}

const number = (value: number | undefined) =>
  value === undefined
    ? ""
    : value >= 1000 || Number.isInteger(value)
      ? Math.round(value).toLocaleString("en")
      : value.toPrecision(3);

/** Whether the ratio reaches the aim, or at least the floor. */
function verdict({ ratio, aim, floor, better }: Comparison): string {
  if (aim === undefined || ratio === undefined) return "";
  const reaches = (limit: number) => (better === "higher" ? ratio >= limit : ratio <= limit);
  if (reaches(aim)) return "reached";
  return floor !== undefined && reaches(floor) ? "within the floor" : "missed";
}

function limits({ aim, floor, better }: Comparison): string {
  if (aim === undefined) return "";
  return `${better === "higher" ? "≥" : "≤"} ${Number(aim.toPrecision(3))}${floor === undefined ? "" : ` (${floor})`}`;
}

/** Prints a result: a table of the ratios, then other observations of the loads. */
export function printReport({ title, comparisons }: Result): void {
  console.log(`\n${style.bold(title)}`);
  printTable(
    ["", "ours", "baseline", "", "ratio", "aim (floor)", ""],
    comparisons.map((one) => [
      one.name,
      number(one.ours),
      number(one.baseline),
      one.unit,
      one.ratio?.toFixed(2) ?? "",
      limits(one),
      verdict(one),
    ]),
    1,
  );
  for (const { name, details, note } of comparisons) {
    if (note) console.log(style.dim(`    ${name}: ${note}`));
    if (!details) continue;
    const { p50, p95, p99 } = details.latency;
    const waits = details.waits
      .slice(0, 3)
      .map(([event, share]) => `${event} ${(share * 100).toFixed(0)} %`)
      .join(", ");
    console.log(
      style.dim(
        `    ${name}: p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, p99 ${p99.toFixed(1)} ms; ${Math.round(details.walBytesPerTransaction)} B of WAL each; ` +
          `${details.hotShare === undefined ? "" : `${(details.hotShare * 100).toFixed(1)} % of updates HOT; `}${details.deadlocks} deadlocks; waits: ${waits}`,
      ),
    );
  }
}
