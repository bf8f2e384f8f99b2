import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, by their duration in a complete run of the short form. */
export const longest = [
  "stack/restore.test.ts",
  "commands/bench.test.ts",
  "contract/bad_arguments.test.ts",
  "faults/faults.test.ts",
  "browser/orders_and_jobs.test.ts",
  "browser/console_pages.test.ts",
  "faults/migrations.test.ts",
  "commands/doctor.test.ts",
  "browser/lists.test.ts",
  "browser/search.test.ts",
  "browser/h5_pages.test.ts",
  "browser/forms.test.ts",
  "stack/embedded_postgres.test.ts",
  "stack/migrations.test.ts",
  "commands/every_command.test.ts",
  "browser/accounts.test.ts",
  "stack/readme.test.ts",
  "browser/layout.test.ts",
  "browser/plans_and_levels.test.ts",
  "browser/reports.test.ts",
  "property/histories.test.ts",
  "browser/passwords.test.ts",
  "faults/breaks.test.ts",
  "stack/shards_isolation.test.ts",
  "commands/import.test.ts",
  "browser/roles.test.ts",
  "browser/h5_wechat.test.ts",
  "stack/shards.test.ts",
  "browser/waiting.test.ts",
  "stack/migration_history.test.ts",
  "stack/faults.test.ts",
  "browser/payments.test.ts",
  "browser/demo_data.test.ts",
  "faults/slow_bodies.test.ts",
  "api/notices.test.ts",
  "browser/administrators.test.ts",
  "concurrency/release.test.ts",
  "api/unfinished_bodies.test.ts",
  "browser/h5_journey.test.ts",
  "api/poster.test.ts",
  "stack/standby.test.ts",
  "api/wechat_sign_in.test.ts",
  "browser/withdrawals.test.ts",
  "stack/start_and_stop.test.ts",
  "api/things_of_other_members.test.ts",
  "browser/shipping.test.ts",
  "browser/finance.test.ts",
  "browser/console_empty_store.test.ts",
  "property/plans.test.ts",
  "property/closed_branches.test.ts",
  "property/drafts.test.ts",
  "browser/signals.test.ts",
  "browser/plain_http.test.ts",
  "api/database_servers.test.ts",
  "stack/broken_local.test.ts",
  "stack/deploy_document.test.ts",
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
