import { useTranslation } from "react-i18next";
import { languageTag } from "../../../shared/language_tag.ts";
import { useAdmin } from "../store/store.ts";
import type { WriteValue } from "./csv.ts";

const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** With the offset from UTC: a file may be read elsewhere. */
const fields = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZoneName: "longOffset",
} as const;
const day = /^\d{4}-\d\d-\d\d$/;

/**
 * Formats the values of an export: amounts as digits, times in the time zone of the store with its offset, times and
 * days in the locale of the browser, booleans as words.
 */
export function useWriteValue(): WriteValue {
  const { t } = useTranslation("common");
  const timeZone = useAdmin("/adminapi/system/settings", {}, { staleTime: 300_000 }).data?.time_zone ?? "UTC";
  return (value) => {
    if (value === null || value === undefined) return "";
    if (typeof value === "boolean") return t(value ? "yes" : "no");
    if (typeof value === "number") return value;
    if (time.test(value))
      return new Intl.DateTimeFormat(languageTag(), { ...fields, timeZone }).format(new Date(value));
    return day.test(value)
      ? new Intl.DateTimeFormat(languageTag(), { dateStyle: "short", timeZone: "UTC" }).format(
          new Date(`${value}T00:00:00Z`),
        )
      : value;
  };
}
