import { SimpleGrid } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import type { Series } from "../../components/chart.tsx";
import { ChartSection } from "../../components/chart_section.tsx";
import { formatCount, formatCurrency, formatPoints } from "../../components/figures.tsx";
import { namePoints } from "../../components/name_points.ts";

type Days = Admin["Overview"]["days"];

/** @param before the days of the previous period; undefined while they are loading */
export function DailyCharts({ days, before }: { days: Days; before: Days | undefined }) {
  const { t, i18n } = useTranslation(["overview", "common"]);
  const charts = useMemo(() => {
    const seriesOf = (name: string, valueOf: (day: Days[number]) => number, beforeToo = false): Series => ({
      name,
      values: days.map(valueOf),
      ...(beforeToo &&
        before && { before: { name: t("chart.before", { days: days.length }), values: before.map(valueOf) } }),
    });
    return {
      orders: [
        seriesOf(t("orders"), ({ orders }) => orders, true),
        seriesOf(t("queueOrders"), ({ queue_orders }) => queue_orders),
      ],
      money: [
        seriesOf(t("queueRevenue"), ({ queue_revenue }) => Number(queue_revenue), true),
        seriesOf(t("commission"), ({ commission }) => Number(commission)),
      ],
      points: [
        seriesOf(t("pointsFrozen"), ({ points_frozen }) => points_frozen, true),
        { ...seriesOf(t("pointsReleased"), ({ points_released }) => points_released), ownAxis: true },
      ],
    } satisfies Record<string, [Series, Series]>;
  }, [days, before, t]);
  const common = {
    // oxlint-disable-next-line react/exhaustive-deps -- the names are in the language of the site
    points: useMemo(() => namePoints("day", days), [days, i18n.language]),
    pointTitle: t("common:day"),
    open: { from: days.length - 1, name: t("common:chart.today") },
  };
  return (
    <SimpleGrid cols={{ base: 1, lg: 3 }}>
      <ChartSection title={t("chart.orders")} write={formatCount} series={charts.orders} {...common} />
      <ChartSection title={t("chart.money")} write={formatCurrency} series={charts.money} {...common} />
      <ChartSection title={t("chart.points")} write={formatPoints} series={charts.points} {...common} />
    </SimpleGrid>
  );
}
