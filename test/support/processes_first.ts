import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The folders whose tests start browsers, stacks and commands, and take longest. */
const processes = /\/test\/(browser|commands|faults|stack)\//;

/**
 * Runs the files of these folders first, so that no worker runs a long one at the end while the others are idle. By
 * default, vitest sorts by measured durations, which a clean checkout of CI does not have, and then by size, which says
 * little.
 */
export default class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => (processes.test(moduleId) ? 0 : 1);
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
