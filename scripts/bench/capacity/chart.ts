import type { Measured } from "../../scale/capacity/measured.ts";
import { fitModel, type Model } from "../../scale/capacity/model.ts";
import { picture, text } from "../charts.ts";

interface Panel {
  title: string;
  points: { size: number; value: number }[];
  /** What the model says of every size up to `to`. */
  curve?: (size: number) => number;
  to: number;
}

const LARGEST = 100_000_000;
const [COLUMNS, WIDTH, HEIGHT, TOP, STEP] = [3, 262, 120, 84, 210];

const short = (size: number) => (size >= 1e6 ? `${size / 1e6}M` : size >= 1000 ? `${size / 1000}k` : String(size));

/** One panel: sizes by their logarithm, values from zero. Dots are measured, the line is fitted. */
function draw({ title, points, curve, to }: Panel, at: number): string[] {
  const [left, top] = [24 + (at % COLUMNS) * WIDTH, TOP + Math.floor(at / COLUMNS) * STEP];
  const from = Math.log10(points[0]!.size);
  const sizes = Array.from({ length: 41 }, (_, step) => 10 ** (from + ((Math.log10(to) - from) * step) / 40));
  const most = Math.max(...points.map(({ value }) => value), ...(curve ? sizes.map(curve) : []));
  const x = (size: number) => left + ((Math.log10(size) - from) / (Math.log10(to) - from)) * (WIDTH - 56);
  const y = (value: number) => top + HEIGHT - (value / most) * HEIGHT;
  const place = (size: number, value: number) => `${x(size).toFixed(1)},${y(value).toFixed(1)}`;
  const decades = Array.from(
    { length: Math.floor(Math.log10(to) + 0.01) - Math.ceil(from) + 1 },
    (_, step) => 10 ** (Math.ceil(from) + step),
  );
  return [
    text(left, top - 22, title),
    `<line x1="${left}" x2="${left + WIDTH - 56}" y1="${top + HEIGHT}" y2="${top + HEIGHT}" class="rule"/>`,
    ...(curve ? [`<polyline class="line" points="${sizes.map((size) => place(size, curve(size))).join(" ")}"/>`] : []),
    ...points.flatMap(({ size, value }) => [
      `<circle class="dot" r="3" cx="${x(size).toFixed(1)}" cy="${y(value).toFixed(1)}"/>`,
      text(x(size), y(value) - 7, String(Number(value.toPrecision(2))), "small", "middle"),
    ]),
    ...decades.map((size) => text(x(size), top + HEIGHT + 16, short(size), "small", "middle")),
  ];
}

function panels(measured: Measured, model: Model): Panel[] {
  const { stores, depths, fan_outs } = measured;
  const speed = ({ reference }: { reference: number }) => measured.reference / reference;
  const ofStores = (value: (store: Measured["stores"][number]) => number) =>
    stores.map((store) => ({ size: store.members, value: value(store) }));
  const ofOrders = (points: Measured["depths"]) =>
    points.map((point) => ({ size: point.size, value: (point.cpu * speed(point)) / 1000 }));
  return [
    {
      title: "ms to settle an order, by members",
      points: ofStores((store) => (store.cpu.settle * speed(store)) / 1000),
      curve: (size) => model.cpu("settle", size) / 1000,
      to: LARGEST,
    },
    {
      title: "µs to release a member, by members",
      points: ofStores((store) => store.cpu.release * speed(store)),
      curve: (size) => model.cpu("release", size),
      to: LARGEST,
    },
    {
      title: "kB of log for an order, by members",
      to: LARGEST,
      points: ofStores(({ log }) => (log.order_records + log.order_images) / 1000),
      curve: (size) =>
        (["order_records", "order_images"] as const).reduce(
          (sum, kind) => sum + model.log(kind, size, stores[0]!.orders_per_checkpoint),
          0,
        ) / 1000,
    },
    {
      title: "ms for an order, by ancestors",
      points: ofOrders(depths),
      curve: (size) => model.order(size) / 1000,
      to: depths.at(-1)!.size,
    },
    { title: "ms for an order, by direct members", points: ofOrders(fan_outs), to: fan_outs.at(-1)!.size },
    {
      title: "% of orders that write the hottest row",
      points: ofStores((store) => store.hottest_share * 100),
      to: stores.at(-1)!.members,
    },
  ];
}

/** Draws the measured costs and what the model makes of them. */
export function drawCapacity(measured: Measured): string {
  const all = panels(measured, fitModel(measured));
  return picture(
    TOP + Math.ceil(all.length / COLUMNS) * STEP - 30,
    "What an order and a release cost below one root: measured (dots) and fitted (lines)",
    all.flatMap(draw),
  );
}
