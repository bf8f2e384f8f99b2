import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { pgTapOutcome } from "../../scripts/checks/pgtap.ts";
import type { Outcome } from "../../scripts/checks/run_checks.ts";
import { projectRoot } from "../../scripts/stack/paths.ts";
import { runCommand } from "../../scripts/stack/run_command.ts";

/** A test that fails at its first try and would pass at its second one, with a failure longer than what a run repeats of others. */
const failsOnce = `import { expect, it } from "vitest";
let tries = 0;
it("holds", { retry: 5 }, () => expect(tries++, ${JSON.stringify(`${"a line\\n".repeat(20)}1 acknowledged write lost`)}).toBe(1));`;

const repeated = ["test/browser/a.test.ts", "test/commands/a.test.ts", "test/stack/a.test.ts"];
const triedOnce = [
  "test/api/a.test.ts", "test/bench/a.test.ts", "test/client/a.test.ts", "test/concurrency/a.test.ts", "test/contract/a.test.ts", "test/e2e/a.test.ts",
  "test/faults/a.test.ts", "test/mutation/a.test.ts", "test/property/a.test.ts", "test/stack/failover.test.ts",
];

/** Runs vitest with the settings of this project on tests that fail once. */
async function outcomeOf(environment: Record<string, string>): Promise<Outcome & { exitCode: number }> {
  const root = mkdtempSync(join(tmpdir(), "repeated-tests-"));
  for (const name of ["node_modules", "scripts", "package.json"]) symlinkSync(join(projectRoot, name), join(root, name));
  writeFileSync(join(root, "vitest.config.ts"), `export { default } from ${JSON.stringify(join(projectRoot, "vitest.config.ts"))};`);
  for (const file of [...repeated, ...triedOnce]) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), failsOnce);
  }
  symlinkSync(join(projectRoot, "test/support"), join(root, "test/support"));
  const env = { STORE_TEST_OUTCOME: join(root, "outcome.json"), STORE_TEST_CONTEXT: "", NO_COLOR: "1", ...environment };
  const { code } = await runCommand(process.execPath, [join(projectRoot, "node_modules/vitest/vitest.mjs"), "run"], { cwd: root, env });
  const outcome = JSON.parse(readFileSync(env.STORE_TEST_OUTCOME, "utf8")) as Outcome;
  rmSync(root, { recursive: true });
  return { ...outcome, exitCode: code };
}

const filesOf = (texts: string[]) => texts.map((text) => text.split(" > ")[0]).sort();

describe("a test that fails at its first try", () => {
  let outcome: Awaited<ReturnType<typeof outcomeOf>>;
  beforeAll(async () => {
    outcome = await outcomeOf({ CI: "true" });
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
    const elsewhere = await outcomeOf({ CI: "" });
    expect(filesOf(elsewhere.failures)).toEqual([...repeated, ...triedOnce].sort());
    expect(elsewhere.repeated).toEqual([]);
  });
});

it("a failed file of pgTAP fails the run, and is named with its error", () => {
  const output = `psql:test/db/points/a.test.sql:9: ERROR:  deadlock detected
test/db/points/a.test.sql ...
Failed 1/2 subtests
test/db/points/a.test.sql (Wstat: 768 (exited 3) Tests: 2 Failed: 1)
  Failed test:  2
Files=2, Tests=7, 1 wallclock secs`;
  expect(pgTapOutcome("pgTAP", { code: 1, output })).toEqual({
    passed: 6, failed: 1, failures: [expect.stringMatching(/^pgTAP\n.*deadlock detected\n.*a\.test\.sql \(Wstat/)], repeated: [],
  });
});
