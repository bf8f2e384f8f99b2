import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Count, Currency, formatPoints, formatShare, Points, Share } from "../../components/figures.tsx";
import { Tiles } from "../../components/tiles.tsx";

type Overview = Admin["Overview"];

/** As a share: 500 %. */
const mostPercent = 5;

const sumOf = (days: Overview["days"], valueOf: (day: Overview["days"][number]) => number) =>
  days.reduce((sum, day) => sum + valueOf(day), 0);

/** The change of a figure since the previous period. There is none if there was no previous value. */
function useChange(days: number) {
  const { t } = useTranslation("overview");
  return (now: number | undefined, before: number | undefined) => {
    if (now === undefined || !before) return undefined;
    const change = Math.round((now / before - 1) * 1000) / 1000;
    // Beyond this, a percentage says less than a multiple.
    return change >= mostPercent
      ? t("multiple", { times: formatPoints(Math.round((now / before) * 10) / 10), days })
      : t("change", { change: `${change > 0 ? "+" : ""}${formatShare(change)}`, days });
  };
}

/** The totals of a period, compared with the previous period. */
export function Totals({
  totals,
  before,
  days,
}: {
  totals: Overview["totals"];
  before: Overview["days"] | undefined;
  days: number;
}) {
  const { t } = useTranslation("overview");
  const changeOf = useChange(days);
  const was = (valueOf: (day: Overview["days"][number]) => number) => before && sumOf(before, valueOf);
  const tiles: [name: string, figure: React.ReactNode, now?: number, before?: number][] = [
    [t("orders"), <Count key="orders" value={totals.orders} />, totals.orders, was(({ orders }) => orders)],
    [
      t("queueOrders"),
      <Count key="queue" value={totals.queue_orders} />,
      totals.queue_orders,
      was(({ queue_orders }) => queue_orders),
    ],
    [
      t("queueRevenue"),
      <Currency key="revenue" value={totals.queue_revenue} />,
      Number(totals.queue_revenue),
      was(({ queue_revenue }) => Number(queue_revenue)),
    ],
    [
      t("commission"),
      <Currency key="commission" value={totals.commission} />,
      Number(totals.commission),
      was(({ commission }) => Number(commission)),
    ],
    [t("payoutShare"), <Share key="share" value={totals.payout_share} />],
    [
      t("pointsFrozen"),
      <Points key="frozen" value={totals.points_frozen} />,
      totals.points_frozen,
      was(({ points_frozen }) => points_frozen),
    ],
    [
      t("pointsReleased"),
      <Points key="released" value={totals.points_released} />,
      totals.points_released,
      was(({ points_released }) => points_released),
    ],
  ];
  return <Tiles tiles={tiles.map(([name, figure, now, then]) => ({ name, figure, note: changeOf(now, then) }))} />;
}
