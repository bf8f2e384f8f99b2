import type { RunnerTestCase } from "vitest";
import { TestRunner } from "vitest";

/**
 * Folders whose tests wait for programs that this repository does not contain: a browser, the processes of a stack,
 * commands.
 */
const repeatedFolders = ["test/browser/", "test/stack/", "test/commands/"];

/** What the tests of a failover find, such as a lost write, they may find only now and then. */
const neverRepeated = ["test/stack/failover.alone.test.ts"];

/**
 * How often a failed test of a file is repeated. A fault that shows itself only sometimes is a fault, so most tests
 * have one try.
 */
export function repetitionsOf(file: string, inCi = Boolean(process.env.CI)): number {
  return inCi && repeatedFolders.some((folder) => file.startsWith(folder)) && !neverRepeated.includes(file) ? 1 : 0;
}

/**
 * Runs the tests of vitest, and repeats those of `repeatedFolders` in CI. No test can ask for repetitions of its own.
 */
export default class RepeatingRunner extends TestRunner {
  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    test.retry = repetitionsOf(test.file.name);
    test.repeats = 0;
    await super.onBeforeRunTask(test);
  }
}
