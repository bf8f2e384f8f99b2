import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Series } from "../../components/chart.tsx";
import { ChartSection } from "../../components/chart_section.tsx";
import {
  type Compare,
  comparedPeriods,
  earnedIn,
  ordersOf,
  type Period,
  type Report,
  usePeriodNames,
} from "./report.ts";
import { type Figure, useFigures, writeFigure } from "./report_figures.ts";

interface ReportChartProps {
  title: string;
  report: Report;
  compare: Compare;
  bars: Figure;
  line?: Figure;
  /** The list that a bar leads to. */
  opens?: "orders" | "bill";
}

const valueOf = (period: Period, figure: Figure) => (period[figure] === null ? null : Number(period[figure]));

/** The sum of values; null if there is none, or one is unknown. */
function sumOf(values: (number | null)[]): number | null {
  return values.length === 0
    ? null
    : values.reduce((sum, value) => (sum === null || value === null ? null : sum + value));
}

/** A figure of a report as bars, compared, and another one as a line. */
export function ReportChart({ title, report, compare, bars, line, opens }: ReportChartProps) {
  const { t } = useTranslation("reports");
  const navigate = useNavigate();
  const names = useFigures();
  const points = usePeriodNames(report);
  const series = useMemo((): [Series, Series?] => {
    const { periods } = report;
    const of = (figure: Figure): Series => ({
      name: names[figure],
      values: periods.map((period) => valueOf(period, figure)),
    });
    const compared = comparedPeriods(report);
    const before = compared && {
      name: t(`compares.${compare}`),
      values: compared.map((all) => sumOf(all.map((period) => valueOf(period, bars)))),
    };
    // Released points are far fewer than granted ones. Hours have none.
    const hasLine = line && periods.some((period) => period[line] !== null);
    return [
      { ...of(bars), ...(before && { before }) },
      ...(hasLine ? [{ ...of(line), ownAxis: line === "points_released" }] : []),
    ] as [Series, Series?];
  }, [report, compare, bars, line, names, t]);
  const openFrom = report.periods.findIndex(({ is_over }) => !is_over);
  const open = (index: number) =>
    void navigate(opens === "orders" ? ordersOf("paid", report.periods[index]!) : earnedIn(report.periods[index]!));
  return (
    <ChartSection
      title={title}
      write={writeFigure(bars)}
      series={series}
      points={points}
      pointTitle={t("period")}
      {...(openFrom >= 0 && { open: { from: openFrom, name: t("open") } })}
      {...(opens && { onOpen: open })}
    />
  );
}
