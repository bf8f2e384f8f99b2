import { useTranslation } from "react-i18next";
import { languageTag } from "../../../web/language_tag.ts";

/** A moment, by the clock of the phone. */
export function Time({ value }: { value: string }) {
  useTranslation("common");
  return <time className="figures" dateTime={value}>{new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(value))}</time>;
}

/** The day of a moment, by the clock of the phone. */
export function DayOf({ value }: { value: string }) {
  useTranslation("common");
  return <time className="figures" dateTime={value}>{new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium" }).format(new Date(value))}</time>;
}
