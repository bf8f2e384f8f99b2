import { useInterval } from "@mantine/hooks";
import { createContext, Fragment, useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import { languageTag } from "../../../shared/language_tag.ts";
import { agoInWords } from "./ago_in_words.ts";
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
export function formatDay(value: string): string {
  return new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(`${value}T00:00:00Z`),
  );
}

/** Whether times are in a list, where they stand in one line, without the year if it is the present one. */
export const InList = createContext(false);

/** A timestamp as it stands in a list: 11-29 04:01, or 29 Nov, 04:01. */
function shortTime(value: string, timeZone: string): string {
  const moment = new Date(value);
  const yearOf = (of: Date) => of.toLocaleDateString("en-GB", { year: "numeric", timeZone });
  const isChinese = languageTag().startsWith("zh");
  return new Intl.DateTimeFormat(languageTag(), {
    ...(yearOf(moment) !== yearOf(new Date()) && { year: "numeric" }),
    month: isChinese ? "2-digit" : "short",
    day: isChinese ? "2-digit" : "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  })
    .format(moment)
    .replaceAll("/", "-");
}

/**
 * A timestamp in the time zone of the store, which breaks between the day and the time alone. The tooltip has the time
 * in UTC.
 */
export function Time({ value }: { value: string | null | undefined }) {
  const format = useTimeFormat();
  const isInList = useContext(InList);
  if (!value || !format) return <span>{unknown}</span>;
  if (isInList) {
    return (
      <time dateTime={value} title={`${format.format(new Date(value))} (${value})`} className="one-line">
        {shortTime(value, format.resolvedOptions().timeZone)}
      </time>
    );
  }
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

/**
 * A timestamp of which matters how long ago it is: "12 minutes ago", with the time in the tooltip and on paper. What is
 * more than a day ago is shown as any other time.
 */
export function Ago({ value }: { value: string | null | undefined }) {
  const format = useTimeFormat();
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), 60_000, { autoInvoke: true });
  const words = value && format && agoInWords(now - Date.parse(value), languageTag());
  if (!words) return <Time value={value} />;
  const whole = format.format(new Date(value));
  return (
    <time dateTime={value} title={`${whole} (${value})`} className="one-line">
      <span className="not-printed">{words}</span>
      <span className="printed-only">{whole}</span>
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
