import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";

// A literal date of the future is one of the past some day. A test that compares it with the clock fails then.

/** The day of the first migration. Earlier days are in the past for every test. */
const FIRST_DAY = "2026-11-20";

/** The files that may have later dates, with what they are compared with instead of the clock. */
const WITHOUT_CLOCK: Record<string, string> = {
  "test/commands/clock.test.ts": "nothing: the clock of a run is set to them",
  "test/stack/scheduler.test.ts": "times of the test: the scheduler gets the time from it",
  "test/property/database_store.ts": "nothing: months of partitions, which histories of 2026 need",
  "test/db/bill/statement_json/adds_up_from_opening_to_closing.test.sql": "months of the same rows",
  "test/db/orders/receive_if_due/confirms_the_receipt_of_orders_shipped_long_ago.test.sql": "times of the test, by p_now",
  "test/db/orders/receive_if_due/comes_in_the_sequence_of_shipment.test.sql": "times of the test, by p_now",
  "test/db/orders/expire_orders/follows_the_last_attempt.test.sql": "times of the test, by p_now",
  "test/db/rules/counts_days_in_the_time_zone_of_the_settings.test.sql": "nothing: the day of a given time",
  "test/db/schedule/counts_by_the_business_clock.test.sql": "nothing: schedules at given times",
  "test/db/schedule/makes_partitions_ahead_of_time.test.sql": "nothing: months of partitions",
  "test/db/payments/record_attempt_state/ends_an_attempt_only_when_the_provider_says_so.test.sql": "times of the test, by p_at",
};

const files = readdirSync(join(projectRoot, "test"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(ts|sql|psql)$/.test(name))
  .map((name) => `test/${name}`);
/** The years from 2090 on stand for a time that never comes. */
const laterDates = (file: string) =>
  readFileSync(join(projectRoot, file), "utf8")
    .match(/\b20[2-8]\d-(?:0[1-9]|1[0-2])-[0-3]\d/g)
    ?.filter((date) => date > FIRST_DAY) ?? [];

it("no test compares a literal date of the future with the clock", () => {
  const found = files.map((file) => [file, laterDates(file)] as const).filter(([, dates]) => dates.length > 0);
  expect(found.filter(([file]) => !(file in WITHOUT_CLOCK))).toEqual([]);
  // A file that needs no exception any more.
  expect(Object.keys(WITHOUT_CLOCK).filter((file) => !found.some(([name]) => name === file))).toEqual([]);
});
