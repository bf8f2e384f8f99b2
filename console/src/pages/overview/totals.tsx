import { Box, Paper, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Count, Currency, formatPoints, formatShare, Points, Share } from "../../components/figures.tsx";

type Overview = Admin["Overview"];

/** As a share: 500 %. */
const mostPercent = 5;

const sumOf = (days: Overview["days"], valueOf: (day: Overview["days"][number]) => number) =>
  days.reduce((sum, day) => sum + valueOf(day), 0);

/** The change of a figure since the previous period. Renders nothing if there was no previous value. */
function Change({ now, before, days }: { now: number; before: number | undefined; days: number }) {
  const { t } = useTranslation("overview");
  if (!before) return null;
  const change = Math.round((now / before - 1) * 1000) / 1000;
  // Beyond this, a percentage says less than a multiple.
  const words =
    change >= mostPercent
      ? t("multiple", { times: formatPoints(Math.round((now / before) * 10) / 10), days })
      : t("change", { change: `${change > 0 ? "+" : ""}${formatShare(change)}`, days });
  return (
    <Text size="xs" c="dimmed" component="div">
      {words}
    </Text>
  );
}

/** The totals of a period, compared with the previous period. */
export function Totals({ totals, before, days }: { totals: Overview["totals"]; before: Overview["days"] | undefined; days: number }) {
  const { t } = useTranslation("overview");
  const was = (valueOf: (day: Overview["days"][number]) => number) => before && sumOf(before, valueOf);
  const tiles: [name: string, figure: React.ReactNode, now?: number, before?: number][] = [
    [t("orders"), <Count key="orders" value={totals.orders} />, totals.orders, was(({ orders }) => orders)],
    [t("queueOrders"), <Count key="queue" value={totals.queue_orders} />, totals.queue_orders, was(({ queue_orders }) => queue_orders)],
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
  return (
    <Box
      component="dl"
      m={0}
      style={{ display: "grid", gridTemplateColumns: "repeat(auto-fill, minmax(max(9.75rem, 18%), 1fr))", gap: "0.75rem" }}
    >
      {tiles.map(([name, figure, now, then]) => (
        <Paper key={name} withBorder p="sm" data-tile>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Box component="dd" m={0}>
            <Text fw={650} fz="lg">
              {figure}
            </Text>
            {now !== undefined && <Change now={now} before={then} days={days} />}
          </Box>
        </Paper>
      ))}
    </Box>
  );
}
