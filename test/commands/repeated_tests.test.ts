import { expect, it, vi } from "vitest";
import { pgTapOutcome } from "../../scripts/checks/pgtap.ts";

const failed = {
  code: 1,
  output: `psql:test/db/points/a.test.sql:9: ERROR:  deadlock detected
test/db/points/a.test.sql ...
Failed 1/2 subtests
test/db/points/a.test.sql (Wstat: 768 (exited 3) Tests: 2 Failed: 1)
  Failed test:  2
Files=2, Tests=7, 1 wallclock secs`,
};

it("a file of pgTAP that passes when it is repeated counts as passed, and is named", async () => {
  const repeat = vi.fn(() => Promise.resolve({ code: 0, output: "" }));
  expect(await pgTapOutcome("pgTAP", failed, repeat)).toEqual({
    passed: 7,
    failed: 0,
    failures: [],
    repeated: [expect.stringMatching(/^pgTAP\n.*deadlock detected\n.*a\.test\.sql \(Wstat/)],
  });
  expect(repeat.mock.calls).toEqual([[["test/db/points/a.test.sql"]]]);
});

it("a file of pgTAP that fails twice, or is not repeated, fails", async () => {
  const outcome = { passed: 6, failed: 1, failures: [expect.stringContaining("deadlock detected")], repeated: [] };
  expect(await pgTapOutcome("pgTAP", failed, () => Promise.resolve(failed))).toEqual(outcome);
  expect(await pgTapOutcome("pgTAP", failed)).toEqual(outcome);
});

it("nothing is repeated when many files of pgTAP fail", async () => {
  const output = Array.from({ length: 11 }, (_, place) => `test/db/${place}.test.sql (Wstat: 256 Tests: 1 Failed: 1)`).join("\n");
  const repeat = vi.fn();
  expect((await pgTapOutcome("pgTAP", { code: 1, output }, repeat)).failed).toBe(1);
  expect(repeat).not.toHaveBeenCalled();
});
