import { useTranslation } from "react-i18next";
import { languageTag } from "../../../shared/language_tag.ts";

export const formatTime = (value: string | number) =>
  new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(value));
export const formatDay = (value: string) =>
  new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium" }).format(new Date(value));

export const formatClock = (value: string) =>
  new Intl.DateTimeFormat(languageTag(), { timeStyle: "short" }).format(new Date(value));

/** The day of a time as people call it: today, yesterday, or its date. */
export function nameDay(value: string): string {
  const day = (time: Date) => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / 86_400_000;
  const days = day(new Date(value)) - day(new Date());
  return days === 0 || days === -1
    ? new Intl.RelativeTimeFormat(languageTag(), { numeric: "auto" }).format(days, "day")
    : formatDay(value);
}

/** A business day, which has no time zone. */
export const formatBusinessDay = (value: string) =>
  new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(`${value}T00:00:00Z`),
  );

/** A time, in the time zone of the phone. */
export function Time({ value }: { value: string }) {
  useTranslation("common");
  return (
    <time className="figures" dateTime={value}>
      {formatTime(value)}
    </time>
  );
}

/** The day of a time, in the time zone of the phone. */
export function DayOf({ value }: { value: string }) {
  useTranslation("common");
  return (
    <time className="figures" dateTime={value}>
      {formatDay(value)}
    </time>
  );
}
