import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, by their duration in a complete run of the short form. */
export const longest = [
  "faults/faults.test.ts",
  "faults/migrations.test.ts",
  "browser/orders_and_jobs.test.ts",
  "stack/shards_isolation.test.ts",
  "stack/restore.test.ts",
  "stack/standby.test.ts",
  "browser/console_pages.test.ts",
  "e2e/paid_cycle.test.ts",
  "faults/breaks.test.ts",
  "browser/accounts.test.ts",
  "browser/lists.test.ts",
  "commands/bench.test.ts",
  "concurrency/time_limits.test.ts",
  "browser/layout.test.ts",
  "browser/h5_pages.test.ts",
  "contract/bad_arguments.test.ts",
  "browser/plans_and_levels.test.ts",
  "browser/forms.test.ts",
  "commands/doctor.test.ts",
  "commands/every_command.test.ts",
  "stack/shards.test.ts",
  "browser/h5_journey.test.ts",
  "stack/embedded_postgres.test.ts",
  "browser/roles.test.ts",
  "property/histories.test.ts",
  "stack/faults.test.ts",
  "browser/passwords.test.ts",
  "concurrency/release.test.ts",
  "faults/slow_bodies.test.ts",
  "browser/h5_wechat.test.ts",
  "browser/finance.test.ts",
  "browser/payments.test.ts",
  "stack/start_and_stop.test.ts",
  "commands/import.test.ts",
  "api/unfinished_bodies.test.ts",
  "api/poster.test.ts",
  "api/things_of_other_members.test.ts",
  "stack/readme.test.ts",
  "stack/migration_history.test.ts",
  "stack/migrations.test.ts",
  "browser/withdrawals.test.ts",
  "api/schedule.test.ts",
  "browser/console_empty_store.test.ts",
  "browser/signals.test.ts",
  "property/payments.test.ts",
  "contract/worked_examples.test.ts",
  "commands/commands.test.ts",
  "commands/mutate.test.ts",
  "commands/admin.test.ts",
  "stack/broken_local.test.ts",
  "commands/skipped_tests.test.ts",
  "stack/scheduler.test.ts",
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
