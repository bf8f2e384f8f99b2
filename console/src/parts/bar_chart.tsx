import "uplot/dist/uPlot.min.css";
import { Box, useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import uPlot from "uplot";
import { languageTag } from "../i18n/index.ts";

/** One value a day, in the order of the days. */
export interface Series {
  name: string;
  values: number[];
}

interface BarChartProps {
  /** What the chart shows; read by screen readers, which also need the figures somewhere as text. */
  label: string;
  /** `YYYY-MM-DD`. */
  days: string[];
  series: Series[];
  write: (value: number) => string;
}

const height = 220;
const halfDay = 43_200;
const colors = { light: ["#748ffc", "#2b8a3e"], dark: ["#5c7cfa", "#69db7c"] };
const ink = { light: "#495057", dark: "#c9c9c9" };
const grid = { light: "#e9ecef", dark: "#3b3b3b" };

function short(value: number): string {
  return new Intl.NumberFormat(languageTag(), { notation: "compact" }).format(value);
}

/** Bars for the first series and a line for the second, over days; the legend tells the values under the pointer. */
export function BarChart({ label, days, series, write }: BarChartProps) {
  const { t, i18n } = useTranslation();
  const scheme = useComputedColorScheme("light");
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = box.current!;
    const axis: uPlot.Axis = { stroke: ink[scheme], grid: { stroke: grid[scheme], width: 1 }, ticks: { stroke: grid[scheme] }, font: "11px system-ui" };
    const day = new Intl.DateTimeFormat(languageTag(), { month: "numeric", day: "numeric", timeZone: "UTC" });
    const [bars, line] = colors[scheme];
    const plot = new uPlot({
      width: element.clientWidth,
      height,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
      // Half a day more on both sides, or the first and last bar would be cut.
      scales: { x: { range: (_plot, first, last) => [first - halfDay, last + halfDay] }, y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.05 : 1] } },
      axes: [
        { ...axis, values: (_plot, ticks) => ticks.map((tick) => day.format(tick * 1000)) },
        { ...axis, size: 52, values: (_plot, ticks) => ticks.map(short) },
      ],
      series: [
        { value: (_plot, seconds) => seconds === null ? "–" : day.format(seconds * 1000), label: t("day") },
        ...series.map(({ name }, index): uPlot.Series => ({
          label: name,
          value: (_plot, value) => value === null ? "–" : write(value),
          points: { show: false },
          ...(index === 0 ? { fill: bars!, stroke: bars!, paths: uPlot.paths.bars!({ size: [0.7, 40] }) } : { stroke: line!, width: 2 }),
        })),
      ],
    }, [days.map((date) => Date.parse(date) / 1000), ...series.map(({ values }) => values)], element);

    const watcher = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
  }, [days, series, write, scheme, t, i18n.language]);

  return <Box ref={box} role="img" aria-label={label} style={{ overflow: "hidden" }} />;
}
