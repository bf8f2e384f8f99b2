import type { Result } from "./report.ts";
import type { Comparison } from "./workload.ts";

const WIDTH = 820;
const STYLE = `<style>
  text { font: 12px system-ui, sans-serif; fill: #1f2937 } .small { font-size: 11px; fill: #6b7280 } .title { font-size: 15px; font-weight: 600 }
  .reached { fill: #16a34a } .floor { fill: #ca8a04 } .missed { fill: #dc2626 } .rule { stroke: #6b7280 } .line { fill: none; stroke: #2563eb; stroke-width: 2 } .dot { fill: #2563eb }
</style>`;

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
/** A text at a place of a picture. */
export const text = (x: number, y: number, content: string, kind = "", anchor = "start") =>
  `<text x="${x}" y="${y}" class="${kind}" text-anchor="${anchor}">${escape(content)}</text>`;
/** A picture of the benchmark with a title. */
export const picture = (height: number, title: string, parts: string[]) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(title)}">`,
    STYLE,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    text(16, 28, title, "title"),
    ...parts,
    "</svg>\n",
  ].join("\n");

/** A ratio relative to its aim: 1 is the aim, and more is better, whether high or low ratios are good. */
const shareOfAim = (ratio: number, { better, aim = 1 }: Comparison) =>
  better === "higher" ? ratio / aim : aim / ratio;

/** Draws every ratio with an aim as a share of that aim, with its floor. */
export function drawRatios(results: Result[]): string {
  const rows = results.flatMap(({ workload, comparisons }) =>
    comparisons
      .filter(({ aim, ratio }) => aim !== undefined && ratio !== undefined)
      .map((one) => ({ ...one, label: `${workload}: ${one.name}` })),
  );
  const [left, full, top, step, most] = [440, 200, 62, 24, 1.4];
  const x = (share: number) => left + Math.min(share, most) * full;
  const bars = rows.flatMap((one, index) => {
    const y = top + index * step;
    const share = shareOfAim(one.ratio ?? 0, one);
    const floor = one.floor === undefined ? 0 : shareOfAim(one.floor, one);
    const kind = share >= 1 ? "reached" : floor > 0 && share >= floor ? "floor" : "missed";
    return [
      text(left - 8, y + 12, one.label, "", "end"),
      `<rect x="${left}" y="${y}" width="${x(share) - left}" height="15" class="${kind}"/>`,
      ...(floor > 0
        ? [`<line x1="${x(floor)}" x2="${x(floor)}" y1="${y - 2}" y2="${y + 17}" class="rule" stroke-dasharray="2 2"/>`]
        : []),
      text(
        WIDTH - 8,
        y + 12,
        `${Number((one.ratio ?? 0).toPrecision(2))} (aim ${Number(one.aim?.toPrecision(2))})`,
        "small",
        "end",
      ),
    ];
  });
  const bottom = top + rows.length * step;
  return picture(bottom + 16, "Ratios as shares of their aims", [
    text(x(1), top - 12, "aim", "small", "middle"),
    `<line x1="${x(1)}" x2="${x(1)}" y1="${top - 6}" y2="${bottom}" class="rule"/>`,
    ...bars,
  ]);
}

/**
 * Draws the cost of settling an order as members, depth and history grow: one panel for each, with the sizes at equal
 * distances.
 */
export function drawGrowth(results: Result[]): string {
  const points = results.flatMap(({ comparisons }) => comparisons.flatMap(({ point }) => (point ? [point] : [])));
  const series = [...new Set(points.map(({ of }) => of))];
  const [panel, height, top] = [(WIDTH - 32) / Math.max(series.length, 1), 150, 80];
  return picture(
    top + height + 48,
    "Milliseconds to settle an order",
    series.flatMap((of, index) => {
      const own = points.filter((point) => point.of === of).sort((a, b) => a.size - b.size);
      const left = 16 + index * panel + 24;
      const most = Math.max(...own.map(({ milliseconds }) => milliseconds));
      const x = (at: number) => left + (at / Math.max(own.length - 1, 1)) * (panel - 72);
      const y = (milliseconds: number) => top + height - (milliseconds / most) * height;
      return [
        text(left, top - 24, of),
        `<line x1="${left}" x2="${left + panel - 72}" y1="${top + height}" y2="${top + height}" class="rule"/>`,
        `<polyline class="line" points="${own.map((point, at) => `${x(at)},${y(point.milliseconds)}`).join(" ")}"/>`,
        ...own.flatMap((point, at) => [
          `<circle class="dot" r="3" cx="${x(at)}" cy="${y(point.milliseconds)}"/>`,
          text(x(at), y(point.milliseconds) - 8, String(Number(point.milliseconds.toPrecision(2))), "small", "middle"),
          text(x(at), top + height + 18, point.size.toLocaleString("en"), "small", "middle"),
        ]),
      ];
    }),
  );
}
