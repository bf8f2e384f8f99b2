import { SimpleGrid } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ReportChart } from "../reports/report_chart.tsx";
import type { Report } from "../reports/report.ts";

/** One chart for money and one for points. The bars lead to their orders and bill rows. */
export function DailyCharts({ report }: { report: Report }) {
  const { t } = useTranslation("overview");
  const common = { report, compare: "before" } as const;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <ReportChart title={t("chart.money")} bars="queue_revenue" line="commission" opens="orders" {...common} />
      <ReportChart title={t("chart.points")} bars="points_frozen" line="points_released" opens="bill" {...common} />
    </SimpleGrid>
  );
}
