import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";
import { describeFailure, type Outcome } from "../../scripts/checks/run_checks.ts";

const reasonOf = (errors: readonly SerializedError[] = []) => errors.map((error) => [error.message, error.diff, ...(error.stacks ?? []).map(({ file, line, column }) => `at ${file}:${line}:${column}`)].filter(Boolean).join("\n")).join("\n");

/** Reports to `npm test`, in the file STORE_TEST_OUTCOME, how many tests passed and which failed. */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const file = process.env.STORE_TEST_OUTCOME;
    if (!file) return;
    let passed = 0;
    const failures = unhandledErrors.map((error) => describeFailure("An error outside of a test", reasonOf([error])));
    const repeated: string[] = [];
    for (const module of modules) {
      const describe = (test: TestCase, most?: number) => describeFailure(`${module.relativeModuleId} > ${test.fullName}`, reasonOf(test.result().errors), most);
      const tests = [...module.children.allTests()];
      passed += tests.filter((test) => test.result().state === "passed").length;
      const failed = tests.filter((test) => test.result().state === "failed");
      failures.push(...failed.map((test) => describe(test)));
      // vitest says nothing of a first failure, so all of it is repeated at the end of the run.
      repeated.push(...tests.filter((test) => test.diagnostic()?.flaky).map((test) => describe(test, Infinity)));
      // A file that cannot be loaded and a hook fail without a failed test.
      const suites = [module, ...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
      failures.push(...suites.map((suite) => describeFailure(module.relativeModuleId, reasonOf(suite.errors()))));
    }
    writeFileSync(file, JSON.stringify({ passed, failed: failures.length, failures, repeated } satisfies Outcome));
  }
}
