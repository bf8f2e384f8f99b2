import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { languageTag } from "../../../shared/language_tag.ts";
import { useStoreZone } from "./store_zone.ts";

const unknown = "–";

/**
 * The format of timestamps in the time zone of the store and the locale of the browser, once the time zone is known.
 */
function useTimeFormat(): Intl.DateTimeFormat | undefined {
  useTranslation("common");
  const timeZone = useStoreZone();
  return timeZone === undefined
    ? undefined
    : new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium", timeStyle: "short", timeZone });
}

/** Formats timestamps. Returns a dash until the time zone is known. */
export function useFormatTime(): (value: string) => string {
  const format = useTimeFormat();
  return (value) => format?.format(new Date(value)) ?? unknown;
}

/** A calendar day, which has no time zone. */
function formatDay(value: string): string {
  return new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(`${value}T00:00:00Z`),
  );
}

/**
 * A timestamp in the time zone of the store, which breaks between the day and the time alone. The tooltip has the time
 * in UTC.
 */
export function Time({ value }: { value: string | null | undefined }) {
  const format = useTimeFormat();
  if (!value || !format) return <span>{unknown}</span>;
  const parts = format.formatToParts(new Date(value));
  const hour = parts.findIndex(({ type }) => type === "hour");
  return (
    <time dateTime={value} title={value}>
      {[parts.slice(0, hour), parts.slice(hour)].map((half, at) => (
        <Fragment key={at}>
          {at > 0 && " "}
          <span className="one-line">
            {half
              .map((part) => part.value)
              .join("")
              .trim()}
          </span>
        </Fragment>
      ))}
    </time>
  );
}

/** A business day. */
export function Day({ value }: { value: string | null | undefined }) {
  useTranslation("common");
  if (!value) return <span>{unknown}</span>;
  return (
    <time dateTime={value} className="one-line">
      {formatDay(value)}
    </time>
  );
}
