import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { namePoints } from "../../components/name_points.ts";

export type Report = Admin["Report"];
export type Period = Report["periods"][number];
/** What a report is compared with. */
export type Compare = "before" | "year" | "none";

/** The names of the periods of a report. */
export function usePeriodNames({ unit, periods, time_zone }: Report) {
  const { i18n } = useTranslation();
  // oxlint-disable-next-line react/exhaustive-deps -- the names are in the language of the site
  return useMemo(() => namePoints(unit, periods, time_zone), [unit, periods, time_zone, i18n.language]);
}

/** The route of the list of orders that were paid or refunded in a period. */
export function ordersOf(
  what: "paid" | "refunded",
  { begins_at, ends_at }: Pick<Period, "begins_at" | "ends_at">,
  filters: { product_id?: number; is_queue_goods?: boolean } = {},
): string {
  const { product_id, is_queue_goods } = filters;
  const of = {
    ...(product_id !== undefined && { product_id: String(product_id) }),
    ...(is_queue_goods !== undefined && { is_queue_goods: String(is_queue_goods) }),
  };
  return `/orders?${new URLSearchParams({ ...of, [`${what}_from`]: begins_at, [`${what}_to`]: ends_at }).toString()}`;
}

/**
 * The route of the list of bill rows by which orders earned commission and points in a period, less reversals.
 * @param by whose they are
 */
export function earnedIn(
  { begins_at, ends_at }: Pick<Period, "begins_at" | "ends_at">,
  by: { uid?: number; agent_level?: number } = {},
): string {
  const filters = Object.entries(by).map(([name, value]): [string, string] => [name, String(value)]);
  return `/bill?${new URLSearchParams({ ...Object.fromEntries(filters), earned_from: begins_at, earned_to: ends_at }).toString()}`;
}

/**
 * The periods with which each period of a report is compared. Hours are compared by the clock: where it changes, an
 * hour may have none, or two.
 * @returns undefined if the report is not compared
 */
export function comparedPeriods({ unit, from, time_zone, periods, compared }: Report): Period[][] | undefined {
  if (!compared) return undefined;
  // Two months may have days of different numbers.
  if (unit !== "hour") return periods.map((_, index) => compared.periods.slice(index, index + 1));
  const hour = new Intl.DateTimeFormat("en-GB", { timeZone: time_zone, hour: "2-digit", hourCycle: "h23" });
  const keyOf = ({ day, begins_at }: Period, first: string) =>
    `${Date.parse(day) - Date.parse(first)} ${hour.format(Date.parse(begins_at))}`;
  const keys = periods.map((period) => keyOf(period, from));
  return keys.map((key, index) =>
    // Of an hour that comes twice, the second is compared with nothing.
    keys.indexOf(key) === index ? compared.periods.filter((period) => keyOf(period, compared.from) === key) : [],
  );
}
