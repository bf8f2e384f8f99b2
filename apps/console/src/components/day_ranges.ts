/** A range of business days, both included. An empty text is no limit. */
export interface Range {
  from: string;
  to: string;
}

/** The ranges that people ask for most, by the names of their texts. @param today a day, such as 2026-02-28 */
export function rangesUntil(today: string) {
  const [year, month, day] = today.split("-").map(Number) as [number, number, number];
  // A day or month below 1 is one before: day 0 is the last day of the month before.
  const at = (dayOfMonth: number, monthOfYear = month) =>
    new Date(Date.UTC(year, monthOfYear - 1, dayOfMonth)).toISOString().slice(0, 10);
  return {
    today: { from: today, to: today },
    yesterday: { from: at(day - 1), to: at(day - 1) },
    last7: { from: at(day - 6), to: today },
    last30: { from: at(day - 29), to: today },
    thisMonth: { from: at(1), to: today },
    lastMonth: { from: at(1, month - 1), to: at(0) },
    thisYear: { from: at(1, 1), to: today },
    sinceLastMonth: { from: at(1, month - 1), to: "" },
  } satisfies Record<string, Range>;
}
