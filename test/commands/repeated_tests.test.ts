import { beforeAll, describe, expect, it } from "vitest";
import { pgTapOutcome } from "../../scripts/checks/pgtap.ts";
import { outcomeOf } from "./outcome.ts";

/**
 * A test that fails at its first try and would pass at its second one, with a failure longer than what a run repeats of
 * others.
 */
const failsOnce = `import { expect, it } from "vitest";
let tries = 0;
it("holds", { retry: 5 }, () => expect(tries++, ${JSON.stringify(`${"a line\\n".repeat(20)}1 acknowledged write lost`)}).toBe(1));`;

const repeated = ["test/browser/a.test.ts", "test/commands/a.test.ts", "test/stack/a.test.ts"];
const triedOnce = [
  "test/api/a.test.ts",
  "test/bench/a.test.ts",
  "test/client/a.test.ts",
  "test/concurrency/a.test.ts",
  "test/contract/a.test.ts",
  "test/e2e/a.test.ts",
  "test/faults/a.test.ts",
  "test/mutation/a.test.ts",
  "test/property/a.test.ts",
  "test/stack/failover.alone.test.ts",
];

const outcomeInEnvironment = (environment: Record<string, string>) =>
  outcomeOf(Object.fromEntries([...repeated, ...triedOnce].map((file) => [file, failsOnce])), environment);

const filesOf = (texts: string[]) => texts.map((text) => text.split(" > ")[0]).sort();

describe("a test that fails at its first try", () => {
  let outcome: Awaited<ReturnType<typeof outcomeOf>>;
  beforeAll(async () => {
    outcome = await outcomeInEnvironment({ CI: "true" });
  });

  it("fails the run of CI, whatever its second try would give", () => {
    expect(filesOf(outcome.failures)).toEqual(triedOnce);
    expect(outcome).toMatchObject({ failed: triedOnce.length, exitCode: 1 });
  });

  it("is repeated once in CI if it waits for a browser, a stack or a command, except in the failover", () => {
    expect(filesOf(outcome.repeated)).toEqual(repeated);
    expect(outcome.passed).toBe(repeated.length);
  });

  it("is named with its whole first failure if it is repeated", () => {
    for (const text of outcome.repeated) {
      expect(text.match(/a line/g)).toHaveLength(20);
      expect(text).toContain("1 acknowledged write lost: expected +0 to be 1");
    }
  });

  it("is never repeated outside of CI", async () => {
    const elsewhere = await outcomeInEnvironment({ CI: "" });
    expect(filesOf(elsewhere.failures)).toEqual([...repeated, ...triedOnce].sort());
    expect(elsewhere.repeated).toEqual([]);
  });
});

it("a failed file of pgTAP fails the run, and is named with its error", () => {
  const output = `psql:supabase/tests/points/a.test.sql:9: ERROR:  deadlock detected
supabase/tests/points/a.test.sql ...
Failed 1/2 subtests
supabase/tests/points/a.test.sql (Wstat: 768 (exited 3) Tests: 2 Failed: 1)
  Failed test:  2
Files=2, Tests=7, 1 wallclock secs`;
  expect(pgTapOutcome("pgTAP", { code: 1, output })).toEqual({
    passed: 6,
    failed: 1,
    failures: [expect.stringMatching(/^pgTAP\n.*deadlock detected\n.*a\.test\.sql \(Wstat/)],
    repeated: [],
    skipped: [],
    seconds: { pgTAP: 1 },
  });
});
