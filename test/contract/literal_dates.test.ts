import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { testSources } from "../support/test_sources.ts";

// A literal date of the future is one of the past some day. A test that compares it with the clock fails then.

/** The day of the first migration. Earlier days are in the past for every test. */
const FIRST_DAY = "2026-11-20";

/** The files that may have later dates, with what they are compared with instead of the clock. */
const WITHOUT_CLOCK: Record<string, string> = {
  "test/contract/literal_dates.test.ts": "nothing: what the check finds",
  "test/api/wechat_pay_provider.test.ts": "nothing: numbers of orders",
  "scripts/bench/workloads/partitions.ts": "nothing: months of partitions",
  "test/contract/identity_document.test.ts": "nothing: the day is given",
  "test/commands/clock.ci.test.ts": "nothing: the clock of a run is set to them",
  "test/stack/scheduler.waits.test.ts": "times of the test: the scheduler gets the time from it",
  "supabase/tests/bill/statement_json/adds_up_from_opening_to_closing.test.sql": "months of the same rows",
  "supabase/tests/orders/receive_if_due/confirms_the_receipt_of_orders_shipped_long_ago.test.sql":
    "times of the test, by p_now",
  "supabase/tests/orders/receive_if_due/comes_in_the_sequence_of_shipment.test.sql": "times of the test, by p_now",
  "supabase/tests/orders/expire_orders/follows_the_last_attempt.test.sql": "times of the test, by p_now",
  "supabase/tests/rules/counts_days_in_the_time_zone_of_the_settings.test.sql": "nothing: the day of a given time",
  "supabase/tests/schedule/counts_by_the_business_clock.test.sql": "nothing: schedules at given times",
  "supabase/tests/schedule/makes_partitions_ahead_of_time.test.sql": "nothing: months of partitions",
  "supabase/tests/payments/record_attempt_state/ends_an_attempt_only_when_the_provider_says_so.test.sql":
    "times of the test, by p_at",
};

const files = testSources(/\.(ts|sql|psql)$/);

/**
 * A year, month and day, of which the last two may be missing or a variable. The years from 2090 on stand for a time
 * that never comes.
 */
const YEAR = "(20[2-8]\\d)";
const MONTH = "(0?[1-9]|1[0-2])";
const DAY = "(0?[1-9]|[12]\\d|3[01])";
/** How tests write dates, and how far the number of a month is from that of January. */
const NOTATIONS: [pattern: RegExp, january: number][] = [
  // 2027-03-01, also as part of a time, and 2027/3/1.
  [new RegExp(`(?<!\\d)${YEAR}[-/]${MONTH}[-/]${DAY}(?!\\d)`, "g"), 1],
  // A month, as a text of its own: "2027-03".
  [new RegExp(`["']${YEAR}-${MONTH}["']`, "g"), 1],
  // 20270301, as a text of its own.
  [new RegExp(`["']${YEAR}(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])["']`, "g"), 1],
  // Date.UTC(2027, 2, 1) and new Date(2027, 2, 1): January is 0.
  [
    new RegExp(`\\b(?:Date\\.UTC|new Date)\\(\\s*${YEAR}\\s*(?:,\\s*(\\d{1,2})\\b)?(?:\\s*,\\s*${DAY}\\s*[,)])?`, "g"),
    0,
  ],
  // make_date(2027, 3, 1), make_timestamptz(2027, 3, 1, …).
  [
    new RegExp(
      `\\bmake_(?:date|timestamp|timestamptz)\\(\\s*${YEAR}\\s*(?:,\\s*(\\d{1,2})\\b)?(?:\\s*,\\s*${DAY}\\s*[,)])?`,
      "g",
    ),
    1,
  ],
];

const twoDigits = (number: number) => String(number).padStart(2, "0");
/** The dates in a text, as 2027-03-01. What is missing or a variable counts as the first. */
const datesIn = (text: string) =>
  NOTATIONS.flatMap(([pattern, january]) =>
    [...text.matchAll(pattern)].map(
      ([, year, month, day]) =>
        `${year}-${twoDigits(Number(month ?? january) - january + 1)}-${twoDigits(Number(day ?? 1))}`,
    ),
  );
const laterDates = (file: string) =>
  datesIn(readFileSync(join(projectRoot, file), "utf8")).filter((date) => date > FIRST_DAY);

it.each([
  ['new Date("2027-03-01")', "2027-03-01"],
  ['new Date("2027-03-01T08:00:00Z")', "2027-03-01"],
  ["new Date(2027, 2, 1)", "2027-03-01"],
  ["Date.UTC(2027, 2, 1, 12)", "2027-03-01"],
  ["Date.UTC(2027, 2, day, 4)", "2027-03-01"],
  ["Date.UTC(2027)", "2027-01-01"],
  ["date '2027-03-01'", "2027-03-01"],
  ["date '2027-3-1'", "2027-03-01"],
  ["timestamptz '2027-03-01 12:00+08'", "2027-03-01"],
  ["timestamptz '2027/03/01'", "2027-03-01"],
  ["make_date(2027, 3, 1)", "2027-03-01"],
  ["close_month('2027-03')", "2027-03-01"],
  ['trade_date: "20270301"', "2027-03-01"],
])("%s is the date %s", (text, date) => expect(datesIn(text)).toEqual([date]));

it.each(["ORD20270301000000000001", "2099-01-01", "Date.UTC(year, 2, 1)"])("%s is no date", (text) =>
  expect(datesIn(text)).toEqual([]),
);

it("no test compares a literal date of the future with the clock", () => {
  const found = files.map((file) => [file, laterDates(file)] as const).filter(([, dates]) => dates.length > 0);
  expect(found.filter(([file]) => !(file in WITHOUT_CLOCK))).toEqual([]);
  // A file that needs no exception any more.
  expect(Object.keys(WITHOUT_CLOCK).filter((file) => !found.some(([name]) => name === file))).toEqual([]);
});
