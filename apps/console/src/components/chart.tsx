import { Box, Group, Paper, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { languageTag } from "../../../shared/language_tag.ts";
import { type Scale, scaleOf, withOneZero } from "./chart_scale.ts";

/** One value for each point. Null: there is none. */
export interface Series {
  name: string;
  values: (number | null)[];
  /** Whether the series has its own axis on the right, for values that are far smaller than the others. */
  ownAxis?: boolean;
  /** The values to compare with, point by point. Drawn for bars only. */
  before?: { name: string; values: (number | null)[] };
}

export interface ChartProps {
  /** The label for screen readers. */
  label: string;
  /** Hours, days, weeks or months, oldest first: their names, and short ones for the axis. */
  points: { name: string; short: string }[];
  /** The bars and, if there is one, the line. */
  series: [bars: Series, line?: Series];
  write: (value: number) => string;
  /** The first point that is not over, if there is one, and what such points are called. */
  open?: { from: number; name: string };
  /** Opens what is behind a point: with a click, or with the Enter key. */
  onOpen?: (index: number) => void;
}

const height = 220;
const edge = { top: 8, bottom: 24, left: 56 };
const tooltipWidth = 200;
const leastLabel = 64;

const short = (value: number) => new Intl.NumberFormat(languageTag(), { notation: "compact" }).format(value);

/** The points of a line, as pieces without gaps. */
function piecesOf(values: (number | null)[], x: (index: number) => number, y: (value: number) => number): string[] {
  const pieces: string[][] = [[]];
  values.forEach((value, index) => {
    if (value === null) pieces.push([]);
    else pieces.at(-1)!.push(`${x(index)},${y(value)}`);
  });
  return pieces.filter((piece) => piece.length > 0).map((piece) => piece.join(" "));
}

function Legend({ series: [bars, line], open }: Pick<ChartProps, "series" | "open">) {
  const entries: [name: string, kind: string][] = [[bars.name, "bars"]];
  if (open) entries.push([open.name, "open"]);
  if (line) entries.push([line.name, "line"]);
  if (bars.before) entries.push([bars.before.name, "before"]);
  return (
    <Group component="ul" gap="md" m={0} mt={4} p={0} style={{ listStyle: "none" }}>
      {entries.map(([name, kind]) => (
        <Group key={name} component="li" gap={6} wrap="nowrap">
          <span className={`chart-key chart-key-${kind}`} />
          <Text size="xs">{name}</Text>
        </Group>
      ))}
    </Group>
  );
}

/** The scale of the bars and, if the line has its own axis, that of the line. */
function scalesOf([bars, line]: ChartProps["series"]): [scale: Scale, own?: Scale] {
  const before = bars.before?.values ?? [];
  if (!line?.ownAxis) return [scaleOf([...bars.values, ...before, ...(line?.values ?? [])])];
  return withOneZero(scaleOf([...bars.values, ...before]), scaleOf(line.values));
}

/** The series with values above their scale, and the highest of each. */
function cutSeries([bars, line]: ChartProps["series"]): { name: string; highest: number }[] {
  const [scale, own] = scalesOf([bars, line]);
  return [
    { ...bars, scale },
    ...(bars.before ? [{ ...bars.before, scale }] : []),
    ...(line ? [{ ...line, scale: own ?? scale }] : []),
  ].flatMap(({ name, values, scale: { most } }) => {
    const highest = Math.max(...values.map((value) => value ?? 0));
    return highest > most ? [{ name, highest }] : [];
  });
}

function Drawing({ points, series: [bars, line], open, width }: ChartProps & { width: number }) {
  const [scale, own] = scalesOf([bars, line]);
  const right = width - (own ? edge.left : 8);
  const bottom = height - edge.bottom;
  const slot = Math.max(right - edge.left, 0) / points.length;
  const x = (index: number) => edge.left + (index + 0.5) * slot;
  const onto =
    ({ least, most }: Scale) =>
    (value: number) =>
      bottom - ((Math.min(value, most) - least) / (most - least)) * (bottom - edge.top);
  const y = onto(scale);
  const yOfLine = own ? onto(own) : y;
  const openFrom = open?.from ?? points.length;
  const every = Math.ceil(leastLabel / Math.max(slot, 1));
  return (
    <svg width={width} height={height} aria-hidden>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line className="chart-grid" x1={edge.left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text x={edge.left - 6} y={y(tick) + 4} textAnchor="end">
            {short(tick)}
          </text>
        </g>
      ))}
      {own?.ticks.map((tick) => (
        <text key={tick} className="chart-own" x={right + 6} y={yOfLine(tick) + 4}>
          {short(tick)}
        </text>
      ))}
      {points.map(
        (point, index) =>
          index % every === 0 && (
            <text key={index} x={x(index)} y={height - 6} textAnchor="middle">
              {point.short}
            </text>
          ),
      )}
      {bars.values.map(
        (value, index) =>
          value !== null && (
            <rect
              key={index}
              className={index < openFrom ? "chart-bar" : "chart-bar chart-open"}
              x={x(index) - Math.min(slot * 0.35, 20)}
              width={Math.min(slot * 0.7, 40)}
              y={Math.min(y(value), y(0))}
              height={Math.abs(y(value) - y(0))}
            />
          ),
      )}
      {bars.values.map(
        (value, index) =>
          value !== null &&
          value > scale.most && (
            // The bar is longer than the scale.
            <path
              key={index}
              className="chart-cut"
              d={`M${x(index) - Math.min(slot * 0.45, 24)} ${edge.top + 14} l${Math.min(slot * 0.9, 48)} -6`}
            />
          ),
      )}
      {line &&
        piecesOf(line.values.slice(0, openFrom), x, yOfLine).map((piece) => (
          <polyline key={piece} className="chart-line" points={piece} />
        ))}
      {line?.values.map(
        (value, index) =>
          value !== null &&
          (index >= openFrom || points.length === 1) && (
            <circle key={index} className="chart-line" cx={x(index)} cy={yOfLine(value)} r={3.5} />
          ),
      )}
      {bars.before &&
        piecesOf(bars.before.values, x, y).map((piece) => (
          <polyline key={piece} className="chart-before" points={piece} />
        ))}
    </svg>
  );
}

/**
 * A chart of bars, a line and what they are compared with. It is one control: the pointer or the arrow keys choose a
 * point, whose values are shown and announced.
 */
export function Chart(chart: ChartProps) {
  const { label, points, series, write, open, onOpen } = chart;
  const { ref, width } = useElementSize<HTMLDivElement>();
  const { t } = useTranslation("common");
  const [chosen, setChosen] = useState<number>();
  const [bars, line] = series;
  const cut = cutSeries(series);
  const last = points.length - 1;
  const shown = chosen === undefined ? undefined : Math.min(chosen, last);

  const left =
    edge.left + (((shown ?? 0) + 0.5) * (width - edge.left - (line?.ownAxis ? edge.left : 8))) / points.length;
  const isAtTheRight = left + tooltipWidth + 16 > width;
  const values = [bars, ...(line ? [line] : []), ...(bars.before ? [bars.before] : [])];
  const textsOf = (index: number) =>
    values.flatMap(({ name, values: all }) => {
      const value = all[index];
      return value === null || value === undefined ? [] : [[name, write(value)] as const];
    });
  const nameOf = (index: number) => `${points[index]!.name}${open && index >= open.from ? ` (${open.name})` : ""}`;

  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const inside = clientX - currentTarget.getBoundingClientRect().left - edge.left;
    const index = Math.floor((inside / (width - edge.left - (line?.ownAxis ? edge.left : 8))) * points.length);
    setChosen(index >= 0 && index <= last ? index : undefined);
  };
  const press = (event: KeyboardEvent) => {
    const at = shown ?? last;
    const moves: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (next !== undefined) setChosen(Math.max(0, Math.min(next, last)));
    else if (event.key === "Enter" && onOpen) onOpen(at);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <Box
        ref={ref}
        className="chart"
        pos="relative"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown ?? last}
        aria-valuetext={[nameOf(shown ?? last), ...textsOf(shown ?? last).map((pair) => pair.join(": "))].join(", ")}
        style={{ height, ...(onOpen && { cursor: "pointer" }) }}
        onPointerMove={point}
        onPointerLeave={() => setChosen(undefined)}
        onFocus={({ currentTarget }) => currentTarget.matches(":focus-visible") && setChosen((index) => index ?? last)}
        onBlur={() => setChosen(undefined)}
        onKeyDown={press}
        onClick={() => shown !== undefined && onOpen?.(shown)}
      >
        {width > 0 && <Drawing {...chart} width={width} />}
        {shown !== undefined && (
          <>
            <Box className="chart-chosen" style={{ left: left - 0.5, height: height - edge.bottom }} />
            <Paper
              role="tooltip"
              withBorder
              shadow="sm"
              p={8}
              pos="absolute"
              top={8}
              w={tooltipWidth}
              left={isAtTheRight ? Math.max(0, left - tooltipWidth - 12) : left + 12}
              style={{ pointerEvents: "none", zIndex: 2 }}
            >
              <Text size="xs" fw={600}>
                {nameOf(shown)}
              </Text>
              {textsOf(shown).map(([name, text]) => (
                <Text key={name} size="xs">
                  {name}: <span className="figures">{text}</span>
                </Text>
              ))}
            </Paper>
          </>
        )}
      </Box>
      <Legend series={series} open={open} />
      {cut.map(({ name, highest }) => (
        <Text key={name} size="xs" c="dimmed">
          {t("chart.cut", { name, highest: write(highest) })}
        </Text>
      ))}
    </>
  );
}
