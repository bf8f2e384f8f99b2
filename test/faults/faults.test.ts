import { expect, it } from "vitest";
import { lacking } from "../../scripts/testing/context.ts";
import { seed, skipFor, testSize } from "../support/index.ts";
import { describeReport, isClean } from "../../scripts/faults/report.ts";
import { runFaults } from "../../scripts/faults/run_faults.ts";

// The short form of `npm run test:faults`.
// Guarantee faults/nothing-lost: Nothing acknowledged is lost and nothing happens twice, whatever is killed, crashes,
// hangs or fills up
// By: each request is one committed statement, unique keys, docs/decisions/0001-the-database-is-the-authority.md
// Guarantee operation/events-complete
skipFor(it, lacking("linux"))(
  "after kills, crashes, a full disk and missed days, nothing acknowledged is lost, nothing happened twice, and the model agrees",
  { timeout: 3_600_000 },
  async ({ task }) => {
    const report = await runFaults({
      seed: seed(),
      minutes: testSize.faultMinutes,
      kills: 20,
      crashes: 3,
      breaks: undefined,
      show: () => undefined,
    });
    console.log(describeReport(report));
    task.meta.skipped = report.skipped;
    expect(isClean(report), describeReport(report)).toBe(true);
    expect(report.acknowledged).toBeGreaterThan(100);
    expect(report.faults.lock_held).toBeGreaterThan(0);
  },
);
