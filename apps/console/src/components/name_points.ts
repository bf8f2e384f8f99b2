import { languageTag } from "../../../shared/language_tag.ts";

type Unit = "hour" | "day" | "week" | "month";

/** The names of hours, days, weeks or months for a chart, and short ones for its axis. Hours need the time zone. */
export function namePoints(
  unit: Unit,
  points: { day: string; begins_at?: string; ends_at?: string }[],
  timeZone = "UTC",
): { name: string; short: string }[] {
  const format = (options: Intl.DateTimeFormatOptions, zone = "UTC") =>
    new Intl.DateTimeFormat(languageTag(), { timeZone: zone, ...options });
  const name = unit === "month" ? format({ year: "numeric", month: "long" }) : format({ dateStyle: "medium" });
  const short =
    unit === "month" ? format({ year: "2-digit", month: "numeric" }) : format({ month: "numeric", day: "numeric" });
  const hour = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }, timeZone);
  return points.map(({ day, begins_at, ends_at }) => {
    const at = Date.parse(day);
    if (unit === "hour") {
      const begins = hour.format(Date.parse(begins_at!));
      return { name: `${name.format(at)}, ${begins}–${hour.format(Date.parse(ends_at!))}`, short: begins };
    }
    if (unit === "week") return { name: name.formatRange(at, at + 6 * 86_400_000), short: short.format(at) };
    return { name: name.format(at), short: short.format(at) };
  });
}
