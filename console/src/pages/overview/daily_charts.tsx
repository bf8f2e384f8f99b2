import { Button, SimpleGrid } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { BarChart, type Series } from "../../components/bar_chart.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { formatCount, formatCurrency, formatPoints } from "../../components/figures.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";

type Days = Admin["Overview"]["days"];

const column = columnsOf<{ day: string; index: number }>();

interface DailyChartProps {
  title: string;
  days: Days;
  series: [bars: Series, line: Series];
  write: (value: number) => string;
}

/** A chart, or the same figures as a table. */
function DailyChart({ title, days, series, write }: DailyChartProps) {
  const { t } = useTranslation(["overview", "common"]);
  const [asTable, { toggle }] = useDisclosure(false);
  const dates = useMemo(() => days.map(({ day }) => day), [days]);
  const columns = [
    column.day("day", t("common:day")),
    ...series.map(({ name, values }) =>
      column.custom({
        id: name,
        title: name,
        align: "right",
        cell: ({ index }) => <span className="figures">{write(values[index]!)}</span>,
        csv: ({ index }) => values[index]!,
      }),
    ),
  ];
  return (
    <Section
      title={title}
      actions={
        <Button variant="subtle" size="compact-xs" onClick={toggle}>
          {t(asTable ? "chart.asChart" : "chart.asTable")}
        </Button>
      }
    >
      {asTable ? (
        <PlainTable
          label={title}
          columns={columns}
          rows={dates.map((day, index) => ({ day, index }))}
          rowId={({ day }) => day}
          exportAs={title}
          maxHeight={260}
        />
      ) : (
        <BarChart label={title} days={dates} series={series} write={write} />
      )}
    </Section>
  );
}

/** @param before the days of the previous period; undefined while they are loading */
export function DailyCharts({ days, before }: { days: Days; before: Days | undefined }) {
  const { t } = useTranslation("overview");
  const charts = useMemo(() => {
    const seriesOf = (name: string, valueOf: (day: Days[number]) => number, beforeToo = false): Series => ({
      name,
      values: days.map(valueOf),
      ...(beforeToo && before && { before: { name: t("chart.before", { days: days.length }), values: before.map(valueOf) } }),
    });
    return {
      orders: [seriesOf(t("orders"), ({ orders }) => orders, true), seriesOf(t("queueOrders"), ({ queue_orders }) => queue_orders)],
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
  return (
    <SimpleGrid cols={{ base: 1, lg: 3 }}>
      <DailyChart title={t("chart.orders")} days={days} write={formatCount} series={charts.orders} />
      <DailyChart title={t("chart.money")} days={days} write={formatCurrency} series={charts.money} />
      <DailyChart title={t("chart.points")} days={days} write={formatPoints} series={charts.points} />
    </SimpleGrid>
  );
}
