import { describe, expect, it } from "vitest";
import { type Call, callTree, readingPath } from "../../scripts/structure/reading_path.ts";
import { files, routines } from "../../scripts/structure/sql_source.ts";

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

// `npm run structure` prints these figures.
describe("the source of the database", () => {
  it("leads from a paid order to its bill rows through at most 20 files and 3,000 lines of functions", () => {
    const path = readingPath();
    // The path ends where the bill is written.
    expect(path.flatMap(({ functions }) => functions)).toEqual(
      expect.arrayContaining(["app.take_payment", "app.settle_orders", "app.book_entries"]),
    );
    expect(path.length).toBeLessThanOrEqual(20);
    expect(sum(path.map(({ lines }) => lines))).toBeLessThanOrEqual(3000);
  });

  it("leads there by calls, each at the line where the function stands", () => {
    const flat = (calls: Call[]): Call[] => calls.flatMap((call) => [call, ...flat(call.calls)]);
    const calls = flat(callTree());
    const called = (name: string) =>
      calls.find((call) => call.name === name && !call.isAbove)?.calls.map((call) => call.name);
    expect(called("app.settle_orders")).toEqual(
      expect.arrayContaining([
        "app.load_state",
        "app.decide_cycles",
        "app.decide_levels",
        "app.book_settlements",
        "app.book_entries",
      ]),
    );
    // Each stands in full once.
    const full = calls.filter(({ isAbove }) => !isAbove).map(({ name }) => name);
    expect(full.length).toBe(new Set(full).size);
    for (const { name, file, line } of calls) {
      const text = files.find(({ path }) => path === file)!.text.split("\n")[line - 1];
      expect(text).toMatch(new RegExp(`^create or replace (function|procedure) ${name.replace(".", "\\.")}\\(`));
    }
  });

  // Rows of the bill and of the release log can stand elsewhere than in their tables. Each of these says why it needs
  // the table.
  it("reads the bill by app.bill and the release log by app.releases", () => {
    const reads = /\b(?:from|join) app\.(?:user_bill|points_release_log)\b/;
    const direct = files.flatMap(({ text }) => [
      ...routines(text)
        .filter(({ statement }) => reads.test(statement))
        .map(({ name }) => name),
      ...[...text.matchAll(/^create view ([\w.]+) as\n[^;]*;/gm)]
        .filter(([view]) => reads.test(view))
        .map(([, name]) => name!),
    ]);
    expect(direct.sort()).toEqual([
      "api.get_places",
      "app.actor_earned_json",
      "app.bill",
      "app.bill_row",
      "app.check_imported_members",
      "app.commission_since",
      "app.debts",
      "app.deepest_paid",
      "app.earnings_of_member",
      "app.load_refund",
      "app.months_to_close",
      "app.months_with_rows",
      "app.opening_of",
      "app.orders_that_paid_above",
      "app.release_candidates",
      "app.release_members",
      "app.releases",
      "app.remaining_grants",
      "app.run_test_cycle",
      "app.simulated_entries",
      "app.use_of_member",
      "report.bill",
    ]);
  });

  it("counts what a function calls, and what that calls", () => {
    expect(readingPath(["app.require_time"])).toEqual([
      { file: "01_ground/error_codes.sql", functions: ["app.error_codes"], lines: expect.any(Number) },
      {
        file: "01_ground/errors_and_numbers.sql",
        functions: ["app.fail", "app.require_time"],
        lines: expect.any(Number),
      },
    ]);
  });
});
