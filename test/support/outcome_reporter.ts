import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from "vitest/node";
import { describeFailure, type Outcome } from "../../scripts/checks/run_checks.ts";

const reasonOf = (errors: readonly SerializedError[] = []) =>
  errors
    .map((error) =>
      [
        error.message,
        error.diff,
        ...(error.stacks ?? []).map(({ file, line, column }) => `at ${file}:${line}:${column}`),
      ]
        .filter(Boolean)
        .join("\n"),
    )
    .join("\n");

/** The reasons for which a test is skipped (see skipFor). */
function reasonsOf(test: TestCase | TestSuite): readonly string[] {
  const { skipped } = test.meta();
  return skipped ?? (test.parent.type === "suite" ? reasonsOf(test.parent) : []);
}

/** Reports to `npm test`, in the file STORE_TEST_OUTCOME, how many tests passed, and which failed or were skipped. */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const file = process.env.STORE_TEST_OUTCOME;
    if (!file) return;
    let passed = 0;
    const failures = unhandledErrors.map((error) => describeFailure("An error outside of a test", reasonOf([error])));
    const repeated: string[] = [];
    const skipped: string[] = [];
    const seconds: Record<string, number> = {};
    for (const module of modules) {
      const describe = (test: TestCase, most?: number) =>
        describeFailure(`${module.relativeModuleId} > ${test.fullName}`, reasonOf(test.result().errors), most);
      const tests = [...module.children.allTests()];
      const group = module.relativeModuleId.split("/").slice(0, 2).join("/");
      seconds[group] = (seconds[group] ?? 0) + module.diagnostic().duration / 1000;
      passed += tests.filter((test) => test.result().state === "passed").length;
      const failed = tests.filter((test) => test.result().state === "failed");
      failures.push(...failed.map((test) => describe(test)));
      // vitest says nothing of a first failure, so all of it is repeated at the end of the run.
      repeated.push(...tests.filter((test) => test.diagnostic()?.flaky).map((test) => describe(test, Infinity)));
      for (const test of tests) {
        // What a test left out, or why it or the suites around it are skipped. With -t, vitest skips what does not
        // match.
        const reasons = test.result().state === "skipped" ? reasonsOf(test) : (test.meta().skipped ?? []);
        skipped.push(...reasons.map((reason) => `${module.relativeModuleId} > ${test.fullName}: ${reason}`));
      }
      // A file that cannot be loaded and a hook fail without a failed test.
      const suites = [module, ...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
      failures.push(...suites.map((suite) => describeFailure(module.relativeModuleId, reasonOf(suite.errors()))));
    }
    writeFileSync(
      file,
      JSON.stringify({ passed, failed: failures.length, failures, repeated, skipped, seconds } satisfies Outcome),
    );
  }
}
