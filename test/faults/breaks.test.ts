import { describe, expect, it } from "vitest";
import { lacks } from "../support/context.ts";
import { seed, testSize } from "../support/index.ts";
import { BREAKS, type Break } from "./breaks.ts";
import { describeReport } from "./report.ts";
import { runFaults } from "./run_faults.ts";

const names = (Object.keys(BREAKS) as Break[]).slice(0, testSize.brokenMechanisms);

describe.skipIf(lacks("linux"))("the fault suite", { concurrent: false }, () => {
  it.each(names)("finds what is lost, double or wrong without: %s", { timeout: 1_200_000 }, async (breaks) => {
    const report = await runFaults({ seed: seed(), minutes: testSize.faultMinutes / 10, kills: 0, crashes: 0, breaks, show: () => undefined });
    expect(report.lost.length + report.double.length + report.wrong.length, describeReport(report)).toBeGreaterThan(0);
  });
});
