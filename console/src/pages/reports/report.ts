import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { namePoints } from "../../components/name_points.ts";

export type Report = Admin["Report"];
export type Period = Report["periods"][number];
/** What a report is compared with. */
export type Compare = "before" | "year";

/** The names of the periods of a report. */
export function usePeriodNames({ unit, periods, time_zone }: Report) {
  const { i18n } = useTranslation();
  // oxlint-disable-next-line react/exhaustive-deps -- the names are in the language of the site
  return useMemo(() => namePoints(unit, periods, time_zone), [unit, periods, time_zone, i18n.language]);
}

/** The route of the list of orders that were paid or refunded in a period. */
export function ordersOf(what: "paid" | "refunded", { begins_at, ends_at }: Pick<Period, "begins_at" | "ends_at">): string {
  return `/orders?${new URLSearchParams({ [`${what}_from`]: begins_at, [`${what}_to`]: ends_at }).toString()}`;
}

/** The route of the list of bill rows by which orders earned commission and points in a period, less reversals. */
export function earnedIn({ begins_at, ends_at }: Pick<Period, "begins_at" | "ends_at">, uid?: number): string {
  const member: Record<string, string> = uid === undefined ? {} : { uid: String(uid) };
  return `/bill?${new URLSearchParams({ ...member, earned_from: begins_at, earned_to: ends_at }).toString()}`;
}
