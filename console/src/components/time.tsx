import { useTranslation } from "react-i18next";
import { languageTag } from "../../../web/language_tag.ts";
import { useStoreZone } from "./store_zone.ts";

const unknown = "–";

/** Formats timestamps in the time zone of the store and the locale of the browser. Returns a dash until the time zone is known. */
export function useFormatTime(): (value: string) => string {
  useTranslation("common");
  const timeZone = useStoreZone();
  if (timeZone === undefined) return () => unknown;
  const format = new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium", timeStyle: "short", timeZone });
  return (value) => format.format(new Date(value));
}

/** A calendar day, which has no time zone. */
function formatDay(value: string): string {
  return new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${value}T00:00:00Z`));
}

/** A timestamp in the time zone of the store. The tooltip has the time in UTC. */
export function Time({ value }: { value: string | null | undefined }) {
  const format = useFormatTime();
  if (!value) return <span>{unknown}</span>;
  return (
    <time dateTime={value} title={value}>
      {format(value)}
    </time>
  );
}

/** A business day. */
export function Day({ value }: { value: string | null | undefined }) {
  useTranslation("common");
  if (!value) return <span>{unknown}</span>;
  return <time dateTime={value}>{formatDay(value)}</time>;
}
