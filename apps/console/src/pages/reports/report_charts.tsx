import { SimpleGrid, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Compare, Report } from "./report.ts";
import { ReportChart } from "./report_chart.tsx";

/** The figures of a report as charts. The bars lead to their orders and bill rows. */
export function ReportCharts(of: { report: Report; compare: Compare }) {
  const { t } = useTranslation("reports");
  return (
    <>
      <Text size="sm" c="dimmed" className="not-printed">
        {t("openHint")}
      </Text>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <ReportChart title={t("chart.revenue")} bars="revenue" line="queue_revenue" opens="orders" {...of} />
        <ReportChart title={t("chart.orders")} bars="orders" line="queue_orders" opens="orders" {...of} />
        <ReportChart title={t("chart.commission")} bars="commission" opens="bill" {...of} />
        <ReportChart title={t("chart.points")} bars="points_frozen" line="points_released" opens="bill" {...of} />
        <ReportChart title={t("chart.members")} bars="members" {...of} />
      </SimpleGrid>
    </>
  );
}
