import { useStoreZone } from "./store_zone.ts";

const millisecondsOfADay = 86_400_000;
const firstYear = 2000;

/** Whether a text is an existing day, such as 2026-02-28. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    Number(text.slice(0, 4)) >= firstYear &&
    !Number.isNaN(time) &&
    new Date(time).toISOString().startsWith(text)
  );
}

/** The UTC offset of a time zone at a time, in milliseconds. */
function offsetOf(timeZone: string, moment: number): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(moment);
  const [year, month, day, hour, minute, second] = (["year", "month", "day", "hour", "minute", "second"] as const).map(
    (type) => Number(parts.find((part) => part.type === type)?.value),
  ) as [number, number, number, number, number, number];
  return Date.UTC(year, month - 1, day, hour, minute, second) - moment;
}

/**
 * The first moment of a day in a time zone. Where clocks change at midnight, that midnight comes twice, or the day
 * begins later.
 */
export function beginningOf(day: number, timeZone: string): string {
  const midnights = [-1, 1].map((side) => day - offsetOf(timeZone, day + side * millisecondsOfADay));
  const isOfTheDay = (moment: number) => moment + offsetOf(timeZone, moment) >= day;
  return new Date(Math.min(...midnights.filter(isOfTheDay))).toISOString();
}

/**
 * The start and end of a range of business days, for filters. A day that does not exist sets no limit. Without any day,
 * the time zone is not needed.
 * @returns undefined until the store's time zone is known
 */
export function useStoreDays(from: string, to: string): { from?: string; to?: string } | undefined {
  const isAsked = isDay(from) || isDay(to);
  const timeZone = useStoreZone();
  if (!isAsked) return {};
  if (timeZone === undefined) return undefined;
  return {
    ...(isDay(from) && { from: beginningOf(Date.parse(from), timeZone) }),
    ...(isDay(to) && { to: beginningOf(Date.parse(to) + millisecondsOfADay, timeZone) }),
  };
}

/** The business day of a time, such as 2026-02-28. */
export function todayIn(timeZone: string, now: number): string {
  return new Date(now + offsetOf(timeZone, now)).toISOString().slice(0, 10);
}

/** The business day that was so many days before that of a time, such as 2026-02-28. */
export function dayBefore(days: number, timeZone: string, now = Date.now()): string {
  return new Date(Date.parse(todayIn(timeZone, now)) - days * millisecondsOfADay).toISOString().slice(0, 10);
}

/** The start of the last `count` business days of the store, including today. */
export function beginningOfLastDays(count: number, timeZone: string, now: number): string {
  return beginningOf(Date.parse(dayBefore(count - 1, timeZone, now)), timeZone);
}
