import { readFileSync } from "node:fs";
import { PNG } from "pngjs";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Pixels } from "../../functions/_shared/pictures/structure.ts";
import { type EdgeFunction, longFormOnly, serveEdgeFunction, skipFor, stack } from "../support/index.ts";
import { plainPng } from "../support/wechat/fake_wechat.ts";
import { type Account, call, signUpAdmin } from "./client.ts";
import { writeJpeg, writeWebp } from "./picture_writer.ts";
import { png as writePng } from "./png_writer.ts";

const MOST_SECONDS = 1.5;
/** The clock of `/proc` ticks a hundred times a second. */
const TICKS = 100;

/** A picture as coarse as a photograph or as plain as a drawing. A PNG of a photograph has more than 5 MB. */
function draw(isCoarse: boolean, width: number, height: number): Pixels {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 4) {
      data[at] = (x * 255) / width;
      data[at + 1] = (y * 255) / height;
      data[at + 2] = isCoarse ? ((x * y) >> 8) & 255 : 0;
      data[at + 3] = 255;
    }
  return { data, width, height };
}

function png({ data, width, height }: Pixels): Uint8Array {
  const file = new PNG({ width, height });
  file.data = Buffer.from(data);
  return PNG.sync.write(file);
}

const jpeg = (picture: Pixels, progressive = false) => writeJpeg(picture, { quality: 82, progressive });
const webp = (picture: Pixels, lossless = false) => writeWebp(picture, { quality: 60, method: 0, lossless });

interface Large {
  write: () => Uint8Array | Promise<Uint8Array>;
  /** How much memory the function may have while it draws the picture, in megabytes. A hosted one has 256. */
  most: number;
}

/** Where the pixels of each pass stand, and the steps between two. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

/** An interlaced PNG, which is decoded as a whole. */
function interlaced(width: number, height: number): Uint8Array {
  const rows = PASSES.map(([left, top, right, down]) => {
    const [columns, lines] = [Math.ceil((width - left!) / right!), Math.ceil((height - top!) / down!)];
    return Math.max(lines, 0) * (Math.max(columns, 0) * 3 + 1);
  }).reduce((sum, bytes) => sum + bytes, 0);
  return writePng({ width, height, depth: 8, colourType: 2, interlaced: true, rows: new Uint8Array(rows) });
}
/** The largest that are accepted, one as a camera takes it, and the thinnest. */
const files: Record<string, Large> = {
  "JPEG of 4,608 x 3,456 pixels": { write: () => jpeg(draw(true, 4608, 3456)), most: 256 },
  "JPEG of 4,000 x 4,000 pixels": { write: () => jpeg(draw(true, 4000, 4000)), most: 256 },
  "JPEG of 976 x 16,384 pixels": { write: () => jpeg(draw(true, 976, 16_384)), most: 256 },
  "JPEG of 16,384 x 976 pixels": { write: () => jpeg(draw(true, 16_384, 976)), most: 256 },
  "progressive JPEG of 2,828 x 2,828 pixels": { write: () => jpeg(draw(true, 2828, 2828), true), most: 256 },
  "progressive JPEG of 488 x 16,384 pixels": { write: () => jpeg(draw(true, 488, 16_384), true), most: 256 },
  "PNG of 4,000 x 4,000 pixels": { write: () => png(draw(false, 4000, 4000)), most: 200 },
  "PNG of 976 x 16,384 pixels": { write: () => png(draw(false, 976, 16_384)), most: 200 },
  "PNG of 16,384 x 976 pixels": { write: () => png(draw(false, 16_384, 976)), most: 200 },
  "interlaced PNG of 4,000 x 4,000 pixels": { write: () => interlaced(4000, 4000), most: 256 },
  "interlaced PNG of 976 x 16,384 pixels": { write: () => interlaced(976, 16_384), most: 256 },
  "interlaced PNG of 16,384 x 976 pixels": { write: () => interlaced(16_384, 976), most: 256 },
  "WebP of 2,828 x 2,828 pixels": { write: () => webp(draw(true, 2828, 2828)), most: 256 },
  "WebP of 488 x 16,383 pixels": { write: () => webp(draw(true, 488, 16_383)), most: 256 },
  "lossless WebP of 2,828 x 2,828 pixels": { write: () => webp(draw(false, 2828, 2828), true), most: 256 },
};

/** The most memory that a process has had, its program included. */
const megabytesOf = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmHWM:\s+(\d+)/)?.[1]) / 1024;

function secondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

describe("a large picture", () => {
  let admin: Account;
  let served: EdgeFunction | undefined;
  beforeAll(async () => {
    admin = await signUpAdmin("Photographer");
  });
  afterEach(() => served?.stop());

  for (const [kind, { write, most }] of Object.entries(files))
    skipFor(it, longFormOnly)(
      `is drawn anew within ${most} MB and ${MOST_SECONDS} s of processor time, if it is a ${kind}`,
      async () => {
        const file = await write();
        expect(file.length).toBeLessThanOrEqual(5_000_000);
        // An instance of its own, because one keeps the memory of its decoders.
        const { base, pid } = (served = await serveEdgeFunction("picture", stack().database_url, {}));
        const upload = async (body: Uint8Array) =>
          (await call("POST", "/picture/store", { base, token: admin.token, init: { body: new Uint8Array(body) } }))
            .body;
        await upload(plainPng(1, 2, 3, 20));
        const seconds = secondsOf(pid);
        const { width, height } = await upload(file);
        expect(Math.max(width, height)).toBe(2048);
        expect(megabytesOf(pid)).toBeLessThan(most);
        expect(secondsOf(pid) - seconds).toBeLessThan(MOST_SECONDS);
      },
    );
});
