/** The things that demo products are drawn as. */
export const things = [
  "gift",
  "tin",
  "jar",
  "bottle",
  "tube",
  "bag",
  "bowl",
  "pillow",
  "towel",
  "flask",
  "device",
  "mask",
  "cake",
] as const;
export type Thing = (typeof things)[number];

/** The colours of a drawing: dark, main, light, and an accent. */
interface Palette {
  dark: string;
  main: string;
  light: string;
  accent: string;
  paper: string;
}

function paletteOf(hue: number): Palette {
  return {
    dark: `hsl(${hue} 45% 28%)`,
    main: `hsl(${hue} 55% 45%)`,
    light: `hsl(${hue} 60% 66%)`,
    accent: `hsl(${(hue + 40) % 360} 75% 60%)`,
    paper: `hsl(${hue} 40% 97%)`,
  };
}

const rect = (x: number, y: number, width: number, height: number, radius: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
const circle = (x: number, y: number, radius: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
const path = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;
const line = (d: string, stroke: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
const leaf = (x: number, y: number, size: number, fill: string) =>
  path(`M${x} ${y}q${size} -${size} ${2 * size} 0q-${size} ${size} -${2 * size} 0`, fill);

// Each drawing stands on y = 115 and is about 230 wide and high, around the origin.
const drawings: Record<Thing, (colours: Palette) => string> = {
  gift: ({ dark, main, light, accent, paper }) =>
    rect(-105, -30, 210, 145, 8, main) +
    rect(-118, -68, 236, 46, 8, dark) +
    rect(-22, -68, 44, 183, 0, accent) +
    rect(-118, -48, 236, 6, 0, light) +
    path("M0 -70q-70 -62 -82 -16q-4 22 82 16q70 -62 82 -16q4 22 -82 16", accent) +
    circle(0, -72, 13, paper) +
    line("M-84 10v80M84 10v80", light, 4),
  tin: ({ dark, main, light, accent, paper }) =>
    rect(-75, -85, 150, 200, 14, main) +
    rect(-82, -112, 164, 40, 12, dark) +
    rect(-75, -20, 150, 84, 0, paper) +
    leaf(-34, 18, 18, accent) +
    leaf(0, 30, 17, main) +
    line("M-40 48h80", light, 4),
  jar: ({ dark, main, light, accent, paper }) =>
    rect(-85, -65, 170, 180, 38, light) +
    rect(-70, -20, 140, 122, 26, main) +
    rect(-64, -108, 128, 46, 10, dark) +
    rect(-52, -10, 104, 66, 10, paper) +
    circle(-14, 23, 16, accent) +
    circle(18, 23, 16, accent),
  bottle: ({ dark, main, light, accent, paper }) =>
    path("M-28 -70h56q4 34 40 54q14 8 14 26v88q0 17 -17 17h-130q-17 0 -17 -17v-88q0 -18 14 -26q36 -20 40 -54", main) +
    rect(-22, -118, 44, 50, 8, dark) +
    rect(-62, 14, 124, 66, 8, paper) +
    leaf(-22, 46, 22, accent) +
    line("M-66 14v70", light, 5),
  tube: ({ dark, main, light, accent, paper }) =>
    path("M-62 -112h124l-14 176h-96z", main) +
    rect(-44, 64, 88, 51, 10, dark) +
    rect(-62, -118, 124, 16, 4, light) +
    rect(-34, -66, 68, 76, 8, paper) +
    circle(0, -28, 20, accent),
  bag: ({ dark, main, light, accent, paper }) =>
    path("M-88 -88q88 22 176 0l14 186q2 17 -16 17h-172q-18 0 -16 -17z", main) +
    path("M-88 -88q88 22 176 0l2 -24q-90 20 -180 0z", dark) +
    circle(0, 20, 56, paper) +
    leaf(-36, 8, 18, accent) +
    leaf(-2, 26, 19, light) +
    line("M-30 50h60", main, 5),
  bowl: ({ dark, main, light, accent, paper }) =>
    [-66, -34, 0, 34, 66].map((x, at) => circle(x, at % 2 ? -26 : -8, 32, at % 2 ? accent : light)).join("") +
    circle(-18, -44, 27, accent) +
    circle(22, -50, 25, light) +
    path("M-118 0h236q-8 100 -90 108h-56q-82 -8 -90 -108", main) +
    rect(-44, 102, 88, 14, 6, dark) +
    line("M-84 26q20 44 50 56", paper, 6),
  pillow: ({ main, light, accent, paper, dark }) =>
    path("M-118 -58q118 -46 236 0q20 86 0 160q-118 26 -236 0q-20 -80 0 -160", light) +
    path("M-96 -40q96 -34 192 0q14 66 0 124q-96 20 -192 0q-14 -62 0 -124", paper) +
    line("M-60 4q60 -26 120 0M-60 48q60 22 120 0", main, 5) +
    circle(0, 26, 9, accent) +
    line("M-118 -58l20 16M118 -58l-20 16", dark, 4),
  towel: ({ dark, main, light, accent, paper }) =>
    rect(-110, 55, 220, 60, 26, main) +
    rect(-104, -2, 208, 60, 26, light) +
    rect(-98, -59, 196, 60, 26, paper) +
    line("M70 -59q28 4 28 30q0 26 -28 30M74 -2q30 4 30 30q0 26 -30 30M78 55q32 4 32 30q0 26 -32 30", dark, 5) +
    line("M-60 -30h90M-66 28h90M-72 85h90", accent, 5),
  flask: ({ dark, main, light, accent, paper }) =>
    rect(-58, -78, 116, 193, 24, main) +
    rect(-46, -122, 92, 48, 12, dark) +
    rect(-58, -44, 116, 14, 0, accent) +
    rect(-38, -14, 14, 100, 7, light) +
    rect(0, 12, 40, 40, 20, paper),
  device: ({ dark, main, light, accent, paper }) =>
    rect(-100, -82, 200, 197, 40, paper) +
    rect(-100, 50, 200, 65, 32, main) +
    circle(0, -10, 56, light) +
    circle(0, -10, 38, main) +
    circle(0, -10, 18, paper) +
    circle(-52, 84, 9, accent) +
    rect(-20, 77, 82, 14, 7, dark),
  mask: ({ dark, main, light, accent, paper }) =>
    rect(-82, -115, 164, 230, 16, main) +
    rect(-66, -98, 132, 196, 10, light) +
    path("M-48 -50q48 -34 96 0q8 92 -48 116q-56 -24 -48 -116", paper) +
    circle(-20, -22, 9, dark) +
    circle(20, -22, 9, dark) +
    line("M-14 24q14 10 28 0", dark, 5) +
    leaf(-18, 78, 18, accent),
  cake: ({ dark, main, light, accent, paper }) =>
    rect(-118, 74, 236, 41, 12, dark) +
    circle(-62, 42, 48, main) +
    circle(62, 42, 48, main) +
    circle(0, -16, 54, light) +
    [
      [-62, 42],
      [62, 42],
      [0, -16],
    ]
      .map(([x, y]) => circle(x!, y!, 30, paper) + leaf(x! - 15, y!, 15, accent))
      .join(""),
};

/** Draws a thing as SVG, without the picture around it. @param hue of its colours, in degrees */
export function drawThing(thing: Thing, hue: number): string {
  return drawings[thing](paletteOf(hue));
}
