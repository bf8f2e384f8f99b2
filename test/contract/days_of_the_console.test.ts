import { afterAll, expect, it } from "vitest";
import { beginningOf } from "../../apps/console/src/components/store_day.ts";
import { comparedPeriods, type Period, type Report } from "../../apps/console/src/pages/reports/report.ts";
import { connect, stack } from "../support/index.ts";

// What the console says of days and hours, where clocks change.
const sql = connect(stack().database_url);
afterAll(() => sql.end());

it("a day begins in the filters of the console when it begins in the database", async () => {
  const days = await sql`
    select z.zone, d.day::text as day, app.utc(app.local_day_begins(d.day, z.zone)) as begins
    from unnest(array['America/Havana', 'America/New_York', 'Asia/Shanghai', 'Australia/Lord_Howe', 'Pacific/Auckland']) as z (zone)
    cross join lateral (select '2026-01-01'::date + n.number as day from generate_series(0, 364) as n (number)) as d`;
  const wrong = days.filter(
    ({ zone, day, begins }) => beginningOf(Date.parse(day as string), zone as string) !== begins,
  );
  expect(days).toHaveLength(5 * 365);
  expect(wrong).toEqual([]);
});

const zone = "America/New_York";
const hourOf = (moment: string) =>
  `${moment.slice(8, 10)} ${new Date(moment).toLocaleTimeString("en-GB", { timeZone: zone, hour: "2-digit" })}`;

/** A report by hour of one day and the day before, in which an hour is its `begins_at`. */
async function hours(day: string): Promise<Report> {
  const of = async (each: string) => {
    const rows = await sql`
      select app.utc(b.at) as begins_at
      from generate_series(app.local_day_begins(${each}, ${zone}), app.local_day_begins(${each}::date + 1, ${zone}) - interval '1 hour', interval '1 hour') as b (at)`;
    return rows.map(({ begins_at }) => ({ day: each, begins_at }) as Period);
  };
  const from = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  return {
    unit: "hour",
    from: day,
    time_zone: zone,
    periods: await of(day),
    compared: { from, periods: await of(from) },
  } as Report;
}

it("an hour is compared with the same hour of the clock, on days with 23 and 25 hours and after them", async () => {
  for (const [day, lone, twice] of [
    // Clocks are put forward on the 8th at 2 o'clock, and back on the 1st.
    ["2026-03-08", [], []],
    ["2026-03-09", ["09 02"], []],
    ["2026-11-01", ["01 01"], []],
    ["2026-11-02", [], ["02 01"]],
  ] as const) {
    const report = await hours(day);
    const compared = comparedPeriods(report)!;
    const pairs = report.periods.map(
      ({ begins_at }, index) => [hourOf(begins_at), compared[index]!.map((each) => hourOf(each.begins_at))] as const,
    );
    expect(pairs.filter(([hour, before]) => before.some((each) => each.slice(3) !== hour.slice(3)))).toEqual([]);
    expect([day, pairs.filter(([, before]) => before.length === 0).map(([hour]) => hour)]).toEqual([day, lone]);
    expect([day, pairs.filter(([, before]) => before.length === 2).map(([hour]) => hour)]).toEqual([day, twice]);
  }
});

it("other periods are compared in their sequence, of which one may have more", () => {
  const days = (...names: string[]) => names.map((day) => ({ day }) as Period);
  const report = { unit: "day", periods: days("a", "b", "c"), compared: { periods: days("d", "e") } } as Report;
  expect(comparedPeriods(report)).toEqual([days("d"), days("e"), []]);
  expect(comparedPeriods({ ...report, compared: null })).toBeUndefined();
});
