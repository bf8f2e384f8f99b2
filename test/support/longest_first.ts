import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, by their duration in a complete run of the short form. */
export const longest = [
  "browser/console_pages.test.ts",
  "browser/lists.test.ts",
  "browser/h5_pages.test.ts",
  "browser/forms.test.ts",
  "browser/orders_and_jobs.test.ts",
  "commands/bench.test.ts",
  "browser/search.test.ts",
  "faults/migrations.test.ts",
  "stack/restore.test.ts",
  "stack/deploy.test.ts",
  "contract/bad_arguments.test.ts",
  "stack/embedded_postgres.test.ts",
  "faults/faults.test.ts",
  "property/plans.test.ts",
  "commands/doctor.test.ts",
  "commands/release.test.ts",
  "stack/readme.test.ts",
  "stack/migrations.test.ts",
  "stack/shards_isolation.test.ts",
  "commands/every_command.test.ts",
  "commands/import.test.ts",
  "browser/reports.test.ts",
  "browser/passwords.test.ts",
  "browser/plans_and_levels.test.ts",
  "browser/accounts.test.ts",
  "browser/layout.test.ts",
  "browser/h5_wechat.test.ts",
  "stack/faults.test.ts",
  "stack/shards.test.ts",
  "browser/withdrawals.test.ts",
  "browser/payments.test.ts",
  "browser/console_empty_store.test.ts",
  "stack/migration_history.test.ts",
  "audit/bundle.test.ts",
  "stack/start_and_stop.test.ts",
  "api/things_of_other_members.test.ts",
  "browser/roles.test.ts",
  "faults/slow_bodies.test.ts",
  "contract/database_log.test.ts",
  "browser/shipping.test.ts",
  "concurrency/release.test.ts",
  "api/poster.test.ts",
  "property/histories.test.ts",
  "stack/standby.test.ts",
  "browser/finance.test.ts",
  "browser/waiting.test.ts",
  "api/every_route.test.ts",
  "api/unfinished_bodies.test.ts",
  "api/wechat_sign_in.test.ts",
  "browser/writing.test.ts",
  "commands/mutate.test.ts",
  "browser/h5_journey.test.ts",
  "browser/demo_data.test.ts",
  "api/arbitrary_bodies.test.ts",
  "browser/administrators.test.ts",
  "browser/documentation.test.ts",
  "commands/skipped_tests.test.ts",
  "property/closed_branches.test.ts",
  "concurrency/articles.test.ts",
  "browser/machine_keys.test.ts",
  "browser/real_names.test.ts",
  "browser/webhooks.test.ts",
  "api/poster_drawing.test.ts",
  "api/notices.test.ts",
  "api/database_servers.test.ts",
  "stack/broken_local.test.ts",
  "property/sequence.test.ts",
  "commands/seal.test.ts",
  "commands/admin.test.ts",
  "contract/generated_client.test.ts",
  "contract/worked_examples.test.ts",
  "contract/reconcile_checks.test.ts",
  "api/member_messages.test.ts",
  "api/database_tls.test.ts",
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
