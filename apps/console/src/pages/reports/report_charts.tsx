import { SimpleGrid, Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Series } from "../../components/chart.tsx";
import { ChartSection } from "../../components/chart_section.tsx";
import { formatCount, formatCurrency, formatPoints } from "../../components/figures.tsx";
import {
  type Compare,
  comparedPeriods,
  earnedIn,
  ordersOf,
  type Period,
  type Report,
  usePeriodNames,
} from "./report.ts";

const numberOf = (amount: string | null) => (amount === null ? null : Number(amount));

/** The sum of values; null if there is none, or one is unknown. */
function sumOf(values: (number | null)[]): number | null {
  return values.length === 0
    ? null
    : values.reduce((sum, value) => (sum === null || value === null ? null : sum + value));
}

/** The figures of a report as charts. The bars lead to their orders and bill rows. */
export function ReportCharts({ report, compare }: { report: Report; compare: Compare }) {
  const { t } = useTranslation(["reports", "words"]);
  const navigate = useNavigate();
  const points = usePeriodNames(report);
  const series = useMemo(() => {
    const compared = comparedPeriods(report);
    const of = (name: string, valueOf: (period: Period) => number | null): Series => ({
      name,
      values: report.periods.map(valueOf),
      ...(compared && {
        before: { name: t(`before.${compare}`), values: compared.map((periods) => sumOf(periods.map(valueOf))) },
      }),
    });
    const alone = ({ name, values }: Series): Series => ({ name, values });
    const released = { ...alone(of(t("pointsReleased"), ({ points_released }) => points_released)), ownAxis: true };
    const granted = of(t("pointsFrozen"), ({ points_frozen }) => points_frozen);
    return {
      revenue: [
        of(t("words:revenue"), ({ revenue }) => Number(revenue)),
        alone(of(t("queueRevenue"), ({ queue_revenue }) => Number(queue_revenue))),
      ],
      orders: [
        of(t("orders"), ({ orders }) => orders),
        alone(of(t("queueOrders"), ({ queue_orders }) => queue_orders)),
      ],
      commission: [of(t("words:commission"), ({ commission }) => numberOf(commission))],
      points: report.unit === "hour" ? [granted] : [granted, released],
      members: [of(t("members"), ({ members }) => members)],
    } satisfies Record<string, [Series, Series?]>;
  }, [report, compare, t]);

  const openFrom = report.periods.findIndex(({ is_over }) => !is_over);
  const common = {
    points,
    pointTitle: t("period"),
    ...(openFrom >= 0 && { open: { from: openFrom, name: t("open") } }),
  };
  const openPaid = (index: number) => void navigate(ordersOf("paid", report.periods[index]!));
  const openEarned = (index: number) => void navigate(earnedIn(report.periods[index]!));
  return (
    <>
      <Text size="sm" c="dimmed" className="not-printed">
        {t("openHint")}
      </Text>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <ChartSection
          title={t("chart.revenue")}
          write={formatCurrency}
          series={series.revenue}
          onOpen={openPaid}
          {...common}
        />
        <ChartSection
          title={t("chart.orders")}
          write={formatCount}
          series={series.orders}
          onOpen={openPaid}
          {...common}
        />
        <ChartSection
          title={t("chart.commission")}
          write={formatCurrency}
          series={series.commission}
          onOpen={openEarned}
          {...common}
        />
        <ChartSection
          title={t("chart.points")}
          write={formatPoints}
          series={series.points}
          onOpen={openEarned}
          {...common}
        />
        <ChartSection title={t("chart.members")} write={formatCount} series={series.members} {...common} />
      </SimpleGrid>
    </>
  );
}
