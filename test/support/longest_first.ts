import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, by their duration in a complete run of the short form. */
export const longest = [
  "browser/orders_and_jobs.test.ts", "browser/console_pages.test.ts", "browser/h5_pages.test.ts", "browser/h5_journey.test.ts", "e2e/paid_cycle.test.ts", "browser/lists.test.ts", "browser/accounts.test.ts",
  "browser/plans_and_levels.test.ts", "browser/forms.test.ts", "browser/console_empty_store.test.ts", "commands/bench.test.ts",
  "commands/every_command.test.ts", "stack/migration_history.test.ts",
  "property/histories.test.ts", "contract/bad_arguments.test.ts", "stack/readme.test.ts", "stack/broken_local.test.ts", "stack/start_and_stop.test.ts",
  "stack/faults.test.ts", "stack/embedded_postgres.test.ts", "stack/scheduler.test.ts", "api/every_route.test.ts",
];

const placeOf = ({ moduleId }: TestSpecification) => longest.findIndex((name) => moduleId.endsWith(`/test/${name}`));
const rank = (file: TestSpecification) => (placeOf(file) === -1 ? longest.length : placeOf(file));

/**
 * Runs the longest files first, so that no worker runs one at the end while the others are idle. By default, vitest sorts files without
 * a measured duration by size, and some of the longest are small.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
