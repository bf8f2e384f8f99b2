import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** Reports the number of passed and failed tests to `npm test`, in the file STORE_TEST_TOTALS. */
export default class TotalsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const file = process.env.STORE_TEST_TOTALS;
    if (!file) return;
    let passed = 0;
    let failed = unhandledErrors.length;
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      passed += tests.filter((test) => test.result().state === "passed").length;
      const failedTests = tests.filter((test) => test.result().state === "failed").length;
      // A file that cannot be loaded fails without a failed test.
      failed += module.state() === "failed" ? Math.max(failedTests, 1) : failedTests;
    }
    writeFileSync(file, JSON.stringify({ passed, failed }));
  }
}
