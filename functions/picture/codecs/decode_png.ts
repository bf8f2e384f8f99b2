import { inspectPng, type PngParts } from "../../_shared/pictures/png_structure.ts";
import { refused } from "../../_shared/pictures/refuse.ts";
import type { Pixels } from "../../_shared/pictures/structure.ts";
import { breathe } from "../breathe.ts";
import { giveBack, reduce, scaleDown } from "../pixels.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Where the pixels of a pass stand: the first column and row, and the steps between two. */
type Pass = [left: number, top: number, right: number, down: number];

const WHOLE: Pass[] = [[0, 0, 1, 1]];
/** The passes of an interlaced picture (Adam7). */
const INTERLACED: Pass[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

/**
 * Decodes a PNG row by row, as its data are inflated, and makes it smaller at once: memory is needed for the result
 * only, or for all pixels of one that is interlaced. Data that inflate to more are not read.
 * @throws Problem if the data are damaged
 */
export async function decodePng(bytes: Bytes, most: number): Promise<Pixels> {
  const parts = inspectPng(bytes);
  const { width, height, depth, samples, isInterlaced } = parts;
  const data = new Uint8ClampedArray(width * (isInterlaced ? height : 1) * 4);
  const smaller = isInterlaced ? undefined : reduce(parts, most);
  const paint = painterOf(parts, data);
  const source = inflate(parts.data);
  const bytesPerPixel = Math.max(1, (samples * depth) >> 3);
  try {
    for (const [left, top, right, down] of isInterlaced ? INTERLACED : WHOLE) {
      const columns = Math.ceil((width - left) / right);
      if (columns <= 0) continue;
      const rowBytes = Math.ceil((columns * samples * depth) / 8);
      let above = new Uint8Array(rowBytes);
      let row = new Uint8Array(rowBytes);
      const line = new Uint8Array(rowBytes + 1);
      for (let y = top; y < height; y += down) {
        await source.read(line);
        unfilter(line, above, row, bytesPerPixel);
        paint(row, columns, (isInterlaced ? y * width : 0) + left, right);
        smaller?.add(data);
        [above, row] = [row, above];
        await breathe();
      }
    }
    return smaller ? smaller.pixels : await scaleDown({ data, width, height }, most);
  } finally {
    source.stop();
  }
}

/** Inflated data, which are read piece by piece. */
interface Inflated {
  /** Fills an array with the next bytes. @throws Problem if there are not enough */
  read: (into: Uint8Array) => Promise<void> | void;
  stop: () => void;
}

/** What a piece inflates to is all in memory at once: a thousand times as much, at most. */
const PIECE_BYTES = 4096;

function* piecesOf(compressed: Bytes[]): Generator<Bytes> {
  for (const part of compressed)
    for (let at = 0; at < part.length; at += PIECE_BYTES) yield part.subarray(at, at + PIECE_BYTES);
}

function inflate(compressed: Bytes[]): Inflated {
  const pieces = piecesOf(compressed);
  const source = new ReadableStream<Bytes>({
    pull: (controller) => {
      const next = pieces.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
  });
  const reader = source.pipeThrough(new DecompressionStream("deflate")).getReader();
  let piece = new Uint8Array();
  let at = 0;

  function take(into: Uint8Array, filled: number): number {
    const taken = piece.subarray(at, at + into.length - filled);
    into.set(taken, filled);
    at += taken.length;
    return filled + taken.length;
  }

  async function wait(into: Uint8Array, already: number): Promise<void> {
    let filled = already;
    while (filled < into.length) {
      const { done, value } = await reader.read().catch((error: unknown) => Promise.reject(refused("damaged", error)));
      if (done) throw refused("damaged");
      // A runtime can put several pieces into one buffer.
      if (piece.length === piece.buffer.byteLength) giveBack(piece);
      piece = value;
      at = 0;
      filled = take(into, filled);
    }
  }

  return {
    // Without a promise for a row that has arrived: most have.
    read: (into) => {
      const filled = take(into, 0);
      return filled === into.length ? undefined : wait(into, filled);
    },
    stop: () => void reader.cancel().catch(() => undefined),
  };
}

/** Undoes the filter of a row, which its first byte names. */
function unfilter(line: Uint8Array, above: Uint8Array, row: Uint8Array, bytesPerPixel: number): void {
  const filter = line[0]!;
  if (filter > 4) throw refused("damaged");
  for (let at = 0; at < row.length; at += 1) {
    const left = at < bytesPerPixel ? 0 : row[at - bytesPerPixel]!;
    const up = above[at]!;
    let guess = 0;
    if (filter === 1) guess = left;
    else if (filter === 2) guess = up;
    else if (filter === 3) guess = (left + up) >> 1;
    else if (filter === 4) guess = nearest(left, up, at < bytesPerPixel ? 0 : above[at - bytesPerPixel]!);
    row[at] = line[at + 1]! + guess;
  }
}

/** The predictor of Paeth: that of the three neighbours which is nearest to left + up - corner. */
function nearest(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - corner - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

type Paint = (row: Uint8Array, columns: number, to: number, step: number) => void;

/** @returns a function that writes the pixels of a row, from a pixel on and with a step between them */
function painterOf({ depth, colourType, samples, palette, transparency }: PngParts, data: Uint8ClampedArray): Paint {
  const most = (1 << depth) - 1;
  const perByte = 8 / depth;
  const sampleAt = (row: Uint8Array, index: number) =>
    depth === 8 ? row[index]! : (row[Math.floor(index / perByte)]! >> (8 - depth - (index % perByte) * depth)) & most;
  // The one colour of a picture without opacity that is transparent.
  const clear =
    transparency && colourType !== 3
      ? Array.from({ length: samples }, (_, index) => transparency[index * 2 + 1])
      : undefined;
  const isGrey = samples < 3;

  return (row, columns, to, step) => {
    for (let x = 0, pixel = to * 4; x < columns; x += 1, pixel += step * 4) {
      const first = sampleAt(row, x * samples);
      if (colourType === 3) {
        data[pixel] = palette![first * 3] ?? 0;
        data[pixel + 1] = palette![first * 3 + 1] ?? 0;
        data[pixel + 2] = palette![first * 3 + 2] ?? 0;
        data[pixel + 3] = transparency?.[first] ?? 255;
        continue;
      }
      const grey = isGrey ? (first * 255) / most : 0;
      data[pixel] = isGrey ? grey : first;
      data[pixel + 1] = isGrey ? grey : row[x * samples + 1]!;
      data[pixel + 2] = isGrey ? grey : row[x * samples + 2]!;
      const isClear = clear?.every((sample, index) => sample === sampleAt(row, x * samples + index));
      data[pixel + 3] = isClear ? 0 : samples % 2 === 0 ? row[x * samples + samples - 1]! : 255;
    }
  };
}
