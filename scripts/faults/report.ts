import { EVENTS, FAULTS } from "./injector.ts";
import type { FaultReport } from "./run_faults.ts";

const inSeconds = (ms: number) => `${Math.round(ms / 1000)} s`;
const number = (value: number) => value.toLocaleString("en");

export function isClean({ lost, double, unexpected, wrong }: FaultReport): boolean {
  return lost.length + double.length + unexpected.length + wrong.length === 0;
}

/** The text that the command prints. */
export function describeReport(report: FaultReport): string {
  const {
    faults,
    kills,
    crashes,
    requests,
    acknowledged,
    refusals,
    lost,
    double,
    unexpected,
    wrong,
    seed,
    seconds,
    slowestFirstRequestMs,
    longestLockMs,
    phases,
    skipped,
  } = report;
  const examples = [lost, double, unexpected, wrong].flatMap((list) => list.slice(0, 10).map((text) => `  - ${text}`));
  return [
    `Faults in ${number(seconds)} s: ${number(kills)} kills, ${number(crashes)} crashes`,
    ...Object.entries({ ...FAULTS, ...EVENTS }).map(
      ([name, title]) => `  ${number(faults[name as keyof typeof faults]).padStart(7)}  ${title}`,
    ),
    `Longest lock   ${inSeconds(longestLockMs)}`,
    `Time           ${Object.entries(phases)
      .map(([name, ms]) => `${name} ${inSeconds(ms)}`)
      .join(", ")}`,
    ...skipped.map((text) => `  SKIPPED  ${text}`),
    `Requests       ${number(requests)}`,
    `Acknowledged   ${number(acknowledged)} writes`,
    `Refused        ${
      Object.entries(refusals)
        .sort()
        .map(([text, count]) => `${number(count)} × ${text}`)
        .join(", ") || "nothing"
    }`,
    `Lost           ${number(lost.length)}`,
    `Double         ${number(double.length)}`,
    `Unexpected     ${number(unexpected.length)} responses; the slowest first request after a fault took ${number(slowestFirstRequestMs)} ms`,
    `Wrong          ${number(wrong.length)} findings of app.reconcile() and differences from the model`,
    ...examples,
    `Seed           ${seed}`,
  ].join("\n");
}
