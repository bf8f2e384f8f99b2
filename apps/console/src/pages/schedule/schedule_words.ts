import { useTranslation } from "react-i18next";
import { languageTag } from "../../../../shared/language_tag.ts";

/** A Sunday, from which the names of the days are counted. */
const sunday = Date.UTC(2026, 0, 4);
const day = 86_400_000;

/** The names of the days of a week, from Sunday on. */
export function useWeekdays(): string[] {
  useTranslation("schedule");
  const format = new Intl.DateTimeFormat(languageTag(), { weekday: "long", timeZone: "UTC" });
  return Array.from({ length: 7 }, (_, weekday) => format.format(sunday + weekday * day));
}

/** Describes a schedule in words; undefined if it is none of the forms that `app.cron_in_utc` takes. */
export function useScheduleInWords(): (schedule: string) => string | undefined {
  const { t } = useTranslation("schedule");
  const weekdays = useWeekdays();
  return (schedule) => {
    const [matched, minute = "", hour = "", weekday = ""] =
      /^(\*|\*\/[1-9]|\*\/[1-5]\d|\d{1,2}) (\*|\d{1,2}) \* \* (\*|[0-6])$/.exec(schedule.trim()) ?? [];
    if (matched === undefined || Number(minute) > 59 || Number(hour) > 23 || (hour === "*" && weekday !== "*"))
      return undefined;
    if (minute.startsWith("*") && hour !== "*") return undefined;
    if (minute === "*") return t("words.everyMinute");
    if (minute.startsWith("*")) return t("words.minutes", { minutes: minute.slice(2) });
    if (hour === "*") return t("words.hourly", { minute: minute.padStart(2, "0") });
    const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
    if (weekday === "*") return t("words.daily", { time });
    return t("words.weekly", { day: weekdays[Number(weekday)], time });
  };
}
