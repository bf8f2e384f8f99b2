import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatCount, formatCurrency, formatPoints, formatShare } from "../../components/figures.tsx";
import { earnedIn, ordersOf, type Report } from "./report.ts";

export type Figure = keyof Report["totals"];

/** A period with its first and last day. */
type Span = Pick<Report, "from" | "to"> & { begins_at: string; ends_at: string };

const queue = { is_queue_goods: true };

/** How each figure is written, and the list that it is the sum of. */
const figures = {
  revenue: { write: formatCurrency, list: (of: Span) => ordersOf("paid", of) },
  queue_revenue: { write: formatCurrency, list: (of: Span) => ordersOf("paid", of, queue) },
  paid: { write: formatCurrency, list: (of: Span) => ordersOf("paid", of) },
  refunded: { write: formatCurrency, list: (of: Span) => ordersOf("refunded", of) },
  orders: { write: formatCount, list: (of: Span) => ordersOf("paid", of) },
  queue_orders: { write: formatCount, list: (of: Span) => ordersOf("paid", of, queue) },
  commission: { write: formatCurrency, list: (of: Span) => earnedIn(of) },
  payout_share: { write: formatShare, list: (of: Span) => earnedIn(of) },
  points_frozen: { write: formatPoints, list: (of: Span) => earnedIn(of) },
  points_released: {
    write: formatPoints,
    list: ({ from, to }: Span) => `/release-log?${new URLSearchParams({ date_from: from, date_to: to }).toString()}`,
  },
  members: { write: formatCount, list: () => "/users?sort=-add_time" },
} satisfies Record<Figure, unknown>;

/** Returns how a figure is written. */
export const writeFigure = (figure: Figure) => figures[figure].write as (value: unknown) => string;

/** The route of the list that a figure of a period is the sum of. */
export const listOfFigure = (figure: Figure, period: Span) => figures[figure].list(period);

/** The names of the figures. */
export function useFigures(): Record<Figure, string> {
  const { t, i18n } = useTranslation(["reports", "words"]);
  return useMemo(
    () => ({
      revenue: t("words:revenue"),
      queue_revenue: t("queueRevenue"),
      paid: t("paid"),
      refunded: t("refunded"),
      orders: t("orders"),
      queue_orders: t("queueOrders"),
      commission: t("words:commission"),
      payout_share: t("payoutShare"),
      points_frozen: t("pointsFrozen"),
      points_released: t("pointsReleased"),
      members: t("members"),
    }),
    // oxlint-disable-next-line react/exhaustive-deps -- the names are in the language of the site
    [t, i18n.language],
  );
}
