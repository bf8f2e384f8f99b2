import "uplot/dist/uPlot.min.css";
import { Box, Group, Paper, Text, useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import uPlot from "uplot";
import { languageTag } from "../../../web/language_tag.ts";

/** One value a day, in the order of the days. */
export interface Series {
  name: string;
  values: number[];
  /** Whether the series has its own axis on the right, for values that are far smaller than the others. */
  ownAxis?: boolean;
  /** The values of the previous period, day by day. Drawn for bars only. */
  before?: { name: string; values: number[] };
}

interface BarChartProps {
  /** The label for screen readers. The page must also show the figures as text. */
  label: string;
  /** `YYYY-MM-DD`. The last day is today and incomplete. */
  days: string[];
  /** The bars and the line. */
  series: [bars: Series, line: Series];
  write: (value: number) => string;
}

const height = 220;
const halfDay = 43_200;
const tooltipWidth = 190;
const palette = {
  light: { bars: "#748ffc", today: "#c5d0fe", line: "#2b8a3e", before: "#868e96", ink: "#495057", grid: "#e9ecef" },
  dark: { bars: "#5c7cfa", today: "#364fa8", line: "#69db7c", before: "#909296", ink: "#c9c9c9", grid: "#3b3b3b" },
};

function short(value: number): string {
  return new Intl.NumberFormat(languageTag(), { notation: "compact" }).format(value);
}

const aboveZero: uPlot.Scale.Range = (_plot, _least, most) => [0, most > 0 ? most * 1.05 : 1];
const untilToday = (values: number[]) => values.map((value, index) => (index === values.length - 1 ? null : value));
const onlyToday = (values: number[]) => values.map((value, index) => (index === values.length - 1 ? value : null));

/** The day under the pointer. */
interface Pointed {
  index: number;
  left: number;
}

function Legend({ colors, series: [bars, line] }: { colors: (typeof palette)["light"]; series: BarChartProps["series"] }) {
  const { t } = useTranslation("common");
  const entries: [name: string, color: string][] = [
    [bars.name, colors.bars],
    [t("chart.today"), colors.today],
    [line.name, colors.line],
  ];
  if (bars.before) entries.push([bars.before.name, colors.before]);
  return (
    <Group component="ul" gap="md" m={0} mt={4} p={0} style={{ listStyle: "none" }}>
      {entries.map(([name, color]) => (
        <Group key={name} component="li" gap={6} wrap="nowrap">
          <Box w={10} h={10} bg={color} style={{ borderRadius: 2, flex: "none" }} />
          <Text size="xs">{name}</Text>
        </Group>
      ))}
    </Group>
  );
}

/** A chart over days: bars for the first series, a line for the second, and a tooltip with the values of the day under the pointer. */
export function BarChart({ label, days, series, write }: BarChartProps) {
  const { t, i18n } = useTranslation("common");
  const colors = palette[useComputedColorScheme("light")];
  const box = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<Pointed>();
  const [bars, line] = series;

  useEffect(() => {
    const element = box.current!;
    const axis: uPlot.Axis = {
      stroke: colors.ink,
      grid: { stroke: colors.grid, width: 1 },
      ticks: { stroke: colors.grid },
      font: "11px system-ui",
    };
    const day = new Intl.DateTimeFormat(languageTag(), { month: "numeric", day: "numeric", timeZone: "UTC" });
    const values = (_plot: uPlot, ticks: number[]) => ticks.map(short);
    const paths = uPlot.paths.bars!({ size: [0.7, 40] });
    const scale = line.ownAxis ? "own" : "y";
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
        hooks: {
          setCursor: [
            ({ cursor: { idx, left = -1 }, over }) =>
              setPointed(idx === null || idx === undefined || left < 0 ? undefined : { index: idx, left: left + over.offsetLeft }),
          ],
        },
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
        // Half a day more on both sides. Otherwise, the first and the last bar would be cut off.
        scales: {
          x: { range: (_plot, first, last) => [first - halfDay, last + halfDay] },
          y: { range: aboveZero },
          ...(line.ownAxis && { own: { range: aboveZero } }),
        },
        axes: [
          { ...axis, values: (_plot, ticks) => ticks.map((tick) => day.format(tick * 1000)) },
          { ...axis, size: 52, values },
          ...(line.ownAxis
            ? [{ ...axis, scale, side: 1, size: 52, stroke: colors.line, grid: { show: false }, values } satisfies uPlot.Axis]
            : []),
        ],
        series: [
          {},
          { fill: colors.bars, stroke: colors.bars, paths, points: { show: false } },
          { fill: colors.today, stroke: colors.bars, paths, points: { show: false } },
          { scale, stroke: colors.line, width: 2, points: { show: false } },
          { scale, stroke: colors.line, points: { show: true, size: 7, fill: colors.today } },
          ...(bars.before ? [{ stroke: colors.before, width: 1.5, dash: [4, 3], points: { show: false } } satisfies uPlot.Series] : []),
        ],
      },
      [
        days.map((date) => Date.parse(date) / 1000),
        untilToday(bars.values),
        onlyToday(bars.values),
        untilToday(line.values),
        onlyToday(line.values),
        ...(bars.before ? [bars.before.values] : []),
      ],
      element,
    );

    const watcher = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
  }, [days, bars, line, colors, i18n.language]);

  const isAtTheRight = pointed !== undefined && box.current !== null && pointed.left + tooltipWidth + 16 > box.current.clientWidth;
  const day = pointed && days[pointed.index];
  return (
    <>
      <Box pos="relative" onPointerLeave={() => setPointed(undefined)}>
        <Box ref={box} role="img" aria-label={label} style={{ overflow: "hidden" }} />
        {pointed && day && (
          <Paper
            role="tooltip"
            withBorder
            shadow="sm"
            p={8}
            pos="absolute"
            top={8}
            w={tooltipWidth}
            left={isAtTheRight ? Math.max(0, pointed.left - tooltipWidth - 12) : pointed.left + 12}
            style={{ pointerEvents: "none", zIndex: 2 }}
          >
            <Text size="xs" fw={600}>
              {new Intl.DateTimeFormat(languageTag(), { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(day))}
              {pointed.index === days.length - 1 && `, ${t("chart.today")}`}
            </Text>
            {[bars, line, ...(bars.before ? [bars.before] : [])].map(({ name, values }) => (
              <Text key={name} size="xs">
                {name}: <span className="figures">{write(values[pointed.index] ?? 0)}</span>
              </Text>
            ))}
          </Paper>
        )}
      </Box>
      <Legend colors={colors} series={series} />
    </>
  );
}
