import { useTranslation } from "react-i18next";
import { languageTag } from "../i18n/index.ts";

export function formatTime(value: string): string {
  return new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(value));
}

/** A calendar day, which has no time zone. */
export function formatDay(value: string): string {
  return new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${value}T00:00:00Z`));
}

/** A moment, in the time zone of whoever looks; UTC when pointed at. */
export function Time({ value }: { value: string | null | undefined }) {
  useTranslation("common");
  if (!value) return <span>–</span>;
  return <time dateTime={value} title={value}>{formatTime(value)}</time>;
}

/** A business day. */
export function Day({ value }: { value: string | null | undefined }) {
  useTranslation("common");
  if (!value) return <span>–</span>;
  return <time dateTime={value}>{formatDay(value)}</time>;
}
