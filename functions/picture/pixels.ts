import type { Pixels } from "../_shared/pictures/structure.ts";
import { breathe } from "./breathe.ts";

/** The longest sides of the two files of a picture. */
export const LARGE = 2048;
export const SMALL = 480;

/**
 * Gives back the memory of what nobody reads again. The collection of garbage would come too late for the next picture.
 */
export function giveBack({ buffer }: { buffer: ArrayBuffer }): void {
  // Not in Node 20, on which tests run.
  if ("transfer" in buffer) buffer.transfer(0);
}

/** Makes a picture smaller row by row, from the top. */
export interface Reduction {
  /** What has come of the rows. */
  pixels: Pixels;
  /** Takes the next row, which may be changed afterwards. */
  add: (row: Uint8ClampedArray) => void;
}

/**
 * Begins to make a picture smaller so that no side is longer than `most`: each new pixel is the mean of the area that
 * it covers. A smaller picture keeps its size.
 */
export function reduce(from: { width: number; height: number }, most: number): Reduction {
  const scale = Math.min(1, most / Math.max(from.width, from.height));
  const width = Math.max(1, Math.round(from.width * scale));
  const height = Math.max(1, Math.round(from.height * scale));
  const data = new Uint8ClampedArray(width * height * 4);
  let y = -1;
  if (scale === 1) return { pixels: { data, width, height }, add: (row) => data.set(row, (y += 1) * width * 4) };

  const columns = sharesOf(from.width, width);
  const rows = sharesOf(from.height, height);
  // One more pixel and row, for the share of the last ones, which is nothing.
  const line = new Float32Array((width + 1) * 4);
  let sum = new Float32Array(width * 4);
  let next = new Float32Array(width * 4);
  function add(row: Uint8ClampedArray) {
    y += 1;
    line.fill(0);
    addLine(row, columns, line);
    const inFirst = rows.first[y]!;
    for (let at = 0; at < sum.length; at += 1) {
      sum[at]! += line[at]! * inFirst;
      next[at]! += line[at]! * (1 - inFirst);
    }
    const target = rows.target[y]!;
    if (y + 1 < from.height && rows.target[y + 1] === target) return;
    writeLine(sum, data, target * width * 4, (width * height) / (from.width * from.height));
    [sum, next] = [next, sum];
    next.fill(0);
  }
  return { pixels: { data, width, height }, add };
}

/** Makes a picture smaller so that no side is longer than `most`. A smaller picture is returned as it is. */
export async function scaleDown(pixels: Pixels, most: number): Promise<Pixels> {
  if (Math.max(pixels.width, pixels.height) <= most) return pixels;
  const smaller = reduce(pixels, most);
  const bytes = pixels.width * 4;
  for (let at = 0; at < pixels.data.length; at += bytes) {
    smaller.add(pixels.data.subarray(at, at + bytes));
    await breathe();
  }
  return smaller.pixels;
}

/**
 * For each pixel of a line: the new pixel in which it begins, and which part of it lies in there. The rest lies in the
 * following one.
 */
function sharesOf(from: number, to: number): { target: Uint16Array; first: Float32Array } {
  const target = new Uint16Array(from);
  const first = new Float32Array(from);
  for (let at = 0; at < from; at += 1) {
    const begin = Math.floor((at * to) / from);
    target[at] = begin;
    // In whole numbers of 1 / from, so that a pixel that ends at a border has no share behind it.
    first[at] = Math.min(1, ((begin + 1) * from - at * to) / to);
  }
  return { target, first };
}

/**
 * Adds a row of pixels to the sums of a new row. Colours count by their opacity, so that what is transparent has none.
 */
function addLine(data: Uint8ClampedArray, { target, first }: ReturnType<typeof sharesOf>, line: Float32Array): void {
  for (let x = 0, from = 0; x < target.length; x += 1, from += 4) {
    const to = target[x]! * 4;
    const opacity = data[from + 3]!;
    const share = first[x]! * opacity;
    const rest = opacity - share;
    line[to]! += data[from]! * share;
    line[to + 1]! += data[from + 1]! * share;
    line[to + 2]! += data[from + 2]! * share;
    line[to + 3]! += share;
    line[to + 4]! += data[from]! * rest;
    line[to + 5]! += data[from + 1]! * rest;
    line[to + 6]! += data[from + 2]! * rest;
    line[to + 7]! += rest;
  }
}

function writeLine(sums: Float32Array, data: Uint8ClampedArray, to: number, area: number): void {
  for (let at = 0; at < sums.length; at += 4) {
    const opacity = sums[at + 3]!;
    if (opacity === 0) continue;
    data[to + at] = sums[at]! / opacity;
    data[to + at + 1] = sums[at + 1]! / opacity;
    data[to + at + 2] = sums[at + 2]! / opacity;
    data[to + at + 3] = opacity * area;
  }
}

/** Turns a picture upright. @param orientation as in EXIF */
export function turnUpright({ data, width, height }: Pixels, orientation: number): Pixels {
  if (orientation === 1) return { data, width, height };
  const isTurned = orientation >= 5;
  const [newWidth, newHeight] = isTurned ? [height, width] : [width, height];
  const from = new Uint32Array(data.buffer);
  const to = new Uint32Array(from.length);
  const mirrorsX = [2, 3, 7, 8].includes(orientation);
  const mirrorsY = [3, 4, 6, 7].includes(orientation);
  for (let y = 0; y < newHeight; y += 1) {
    for (let x = 0; x < newWidth; x += 1) {
      const [column, row] = isTurned ? [y, x] : [x, y];
      const oldX = mirrorsX ? width - 1 - column : column;
      const oldY = mirrorsY ? height - 1 - row : row;
      to[y * newWidth + x] = from[oldY * width + oldX]!;
    }
  }
  return { data: new Uint8ClampedArray(to.buffer), width: newWidth, height: newHeight };
}

/** Whether a picture is transparent anywhere. */
export function isTransparent({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  return false;
}

/** Puts a picture on a white ground. It changes the pixels themselves. */
export function onWhite({ data, width, height }: Pixels): Pixels {
  for (let at = 0; at < data.length; at += 4) {
    const opacity = data[at + 3]! / 255;
    for (let colour = at; colour < at + 3; colour += 1) data[colour] = data[colour]! * opacity + 255 * (1 - opacity);
    data[at + 3] = 255;
  }
  return { data, width, height };
}
