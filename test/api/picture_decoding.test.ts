import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Pixels } from "../../functions/_shared/pictures/structure.ts";
import { decodePng } from "../../functions/picture/codecs/decode_png.ts";
import { inspect } from "../../functions/picture/inspect.ts";
import { isTransparent, LARGE, onWhite, scaleDown, turnUpright } from "../../functions/picture/pixels.ts";
import { bundle, bundleOf } from "../../scripts/generate/function_bundles.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { writeJpeg, writeWebp } from "./picture_writer.ts";
import { bytesOf, chunk, png } from "./png_writer.ts";

const pixelsOf = ({ data, width, height }: Pixels) => ({ width, height, data: Buffer.from(data).toString("hex") });
const asPngjs = (bytes: Uint8Array) => {
  const { data, width, height } = PNG.sync.read(Buffer.from(bytes));
  return pixelsOf({ data: new Uint8ClampedArray(data), width, height });
};
const noise = (length: number) => Uint8Array.from({ length }, () => randomInt(256));

describe("the decoder of PNG", () => {
  it.each([0, 2, 4, 6] as const)(
    "decodes a picture of colour type %i and each of its filters as another decoder does",
    async (colorType) => {
      for (const filterType of [-1, 0, 1, 2, 3, 4] as const) {
        const picture = new PNG({ width: 37, height: 23 });
        picture.data = Buffer.from(noise(37 * 23 * 4));
        const bytes = bytesOf(
          PNG.sync.write(picture, { colorType, inputHasAlpha: true, filterType: filterType as never }),
        );
        expect(pixelsOf(await decodePng(bytes, LARGE)), `filter ${filterType}`).toEqual(asPngjs(bytes));
      }
    },
  );

  it.each([1, 2, 4, 8])("decodes grey and a palette of %i bits, interlaced or not", async (depth) => {
    const [width, height] = [13, 9];
    const palette = chunk("PLTE", noise(3 * 2 ** depth));
    const opacity = chunk("tRNS", noise(2));
    for (const interlaced of [false, true]) {
      const passes = interlaced
        ? [
            [2, 2],
            [2, 2],
            [4, 1],
            [3, 3],
            [7, 2],
            [6, 5],
            [13, 4],
          ]
        : [[width, height]];
      const rows = Buffer.concat(
        passes.flatMap(([columns, lines]) =>
          Array.from({ length: lines! }, () =>
            Buffer.from([randomInt(5), ...noise(Math.ceil((columns! * depth) / 8))]),
          ),
        ),
      );
      for (const [colourType, others] of [
        [0, []],
        [3, [palette, opacity]],
      ] as const) {
        const bytes = png({ width, height, depth, colourType, interlaced, rows, others: [...others] });
        expect(
          pixelsOf(await decodePng(bytes, LARGE)),
          `type ${colourType}, ${interlaced ? "interlaced" : "row by row"}`,
        ).toEqual(asPngjs(bytes));
      }
    }
  });

  it("makes the one transparent colour of a picture transparent", async () => {
    const rows = Buffer.from([0, 1, 2, 3, 9, 9, 9]);
    const bytes = png({
      width: 2,
      height: 1,
      depth: 8,
      colourType: 2,
      rows,
      others: [chunk("tRNS", Uint8Array.of(0, 9, 0, 9, 0, 9))],
    });
    expect([...(await decodePng(bytes, LARGE)).data]).toEqual([1, 2, 3, 255, 9, 9, 9, 0]);
  });

  // Guarantee access/uploads-refused
  it("refuses data that end too early, and reads no more than the picture needs", async () => {
    const small = { width: 4, height: 4, depth: 8, colourType: 0 };
    await expect(decodePng(png({ ...small, rows: noise(10) }), LARGE)).rejects.toMatchObject({
      detail: "The picture is damaged or incomplete.",
    });
    // 200 MB of zeros are some 200 KB.
    const { data } = await decodePng(png({ ...small, rows: new Uint8Array(200_000_000) }), LARGE);
    expect(data).toHaveLength(64);
  });
});

describe("the decoder of", () => {
  /** A picture whose colours change slowly, so that each of them is known in every size. */
  function gradient(width: number, height: number): Pixels {
    const data = new Uint8ClampedArray(width * height * 4);
    for (let y = 0, at = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1, at += 4) data.set([(x * 255) / width, (y * 255) / height, 128, 255], at);
    return { data, width, height };
  }
  type Decode = (bytes: Uint8Array, most: number) => Promise<Pixels>;
  const decoders: Record<string, Decode> = {};
  const folder = mkdtempSync(join(tmpdir(), "store-decoders-"));
  // Only a bundle contains the libraries.
  beforeAll(async () => {
    const sources = {
      jpeg: "functions/picture/codecs/decode_jpeg.ts",
      webp: "functions/_shared/pictures/decode_webp.ts",
    };
    const load = async (name: string) =>
      (await import(pathToFileURL(bundleOf(name, folder)).href)) as Record<string, Decode>;
    await bundle(
      Object.fromEntries(Object.entries(sources).map(([name, path]) => [name, join(projectRoot, path)])),
      folder,
    );
    decoders.JPEG = (await load("jpeg")).decodeJpeg!;
    decoders.WebP = (await load("webp")).decodeWebp!;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const writers: Record<string, (picture: Pixels) => Promise<Uint8Array<ArrayBuffer>>> = {
    JPEG: (picture) => writeJpeg(picture, { quality: 95, progressive: false }),
    WebP: (picture) => writeWebp(picture, { quality: 95, method: 0 }),
  };

  it.each(
    ["JPEG", "WebP"].flatMap((kind) =>
      [
        [37, 23],
        [2048, 50],
        [2401, 301],
        [300, 3500],
        [9000, 60],
      ].map(([width, height]) => [kind, width!, height!] as const),
    ),
  )("%s keeps the colours of a picture of %i x %i pixels, at most 2,048 on a side", async (kind, width, height) => {
    const file = await writers[kind]!(gradient(width, height));
    const pixels = await scaleDown(await decoders[kind]!(file, LARGE), LARGE);
    const scale = Math.min(1, LARGE / Math.max(width, height));
    expect([pixels.width, pixels.height]).toEqual([Math.round(width * scale), Math.round(height * scale)]);
    const expected = gradient(pixels.width, pixels.height).data;
    const off = pixels.data.map((value, at) => Math.abs(value - expected[at]!));
    expect(off.reduce((sum, value) => sum + value, 0) / off.length).toBeLessThan(2);
  });
});

/** The beginning of a lossless WebP, as if it were all. */
function losslessWebp(width: number, height: number): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(30);
  file.write("RIFF");
  file.writeUInt32LE(22, 4);
  file.write("WEBPVP8L", 8);
  file.writeUInt32LE(10, 16);
  file[20] = 0x2f;
  file.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  return bytesOf(file);
}

/** The segments of a progressive JPEG, without its picture. */
function progressiveJpeg(width: number, height: number): Uint8Array<ArrayBuffer> {
  const frame = Buffer.from([0xff, 0xc2, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0]);
  return bytesOf(Buffer.concat([Buffer.from([0xff, 0xd8]), frame, scan, Buffer.from([0xff, 0xd9])]));
}

describe("the inspection of files", () => {
  const plain = png({ width: 2, height: 2, depth: 8, colourType: 0, rows: new Uint8Array(6) });
  const refusal = (bytes: Uint8Array<ArrayBuffer>) => {
    try {
      return inspect(bytes);
    } catch (error) {
      return (error as { detail: string }).detail.split(/[.,(]/)[0];
    }
  };

  it("reads the size of a picture, also of a progressive JPEG and a lossless WebP", () => {
    expect(inspect(plain)).toMatchObject({ type: "png", width: 2, height: 2, orientation: 1 });
    expect(inspect(losslessWebp(3000, 2600))).toMatchObject({ type: "webp", width: 3000, height: 2600 });
    expect(inspect(progressiveJpeg(3000, 2600))).toMatchObject({ type: "jpeg", width: 3000, height: 2600 });
  });

  // Guarantee access/uploads-refused: An uploaded file that is no picture, or would take too much memory or time, is
  // refused with the reason
  // By: functions/picture/inspect.ts
  it.each([
    [
      "an SVG",
      Buffer.from('<?xml version="1.0"?><!-- a --><svg xmlns="http://www.w3.org/2000/svg"/>'),
      "An SVG is not accepted",
    ],
    ["a page", Buffer.from("<html><script>alert(1)</script></html>"), "This is not a picture of a known kind"],
    ["a HEIC", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0", "latin1"), "This phone format "],
    ["nothing", Buffer.alloc(0), "This is not a picture of a known kind"],
    ["a GIF", Buffer.from("GIF89a", "latin1"), "This is not a picture of a known kind"],
    [
      "a picture of 20,000 x 20,000",
      png({ width: 20_000, height: 20_000, depth: 1, colourType: 0, rows: new Uint8Array(9) }),
      "The picture has more than 16 megapixels",
    ],
    [
      "a lossless WebP of 9 megapixels",
      losslessWebp(3000, 3000),
      "The picture is a progressive JPEG or a WebP with more than 8 megapixels",
    ],
    [
      "a progressive JPEG of 9 megapixels",
      progressiveJpeg(3000, 3000),
      "The picture is a progressive JPEG or a WebP with more than 8 megapixels",
    ],
    [
      "a picture without a side",
      png({ width: 0, height: 4, depth: 8, colourType: 0, rows: new Uint8Array(9) }),
      "The picture is damaged or incomplete",
    ],
    [
      "a picture of 16,385 x 1",
      png({ width: 16_385, height: 1, depth: 1, colourType: 0, rows: new Uint8Array(2050) }),
      "The picture has more than 16 megapixels",
    ],
    [
      "a picture of 1 x 16,385",
      png({ width: 1, height: 16_385, depth: 1, colourType: 0, rows: new Uint8Array(32_770) }),
      "The picture has more than 16 megapixels",
    ],
    ["half a picture", plain.subarray(0, 40), "The picture is damaged or incomplete"],
    [
      "16 bits for each colour",
      png({ width: 2, height: 2, depth: 16, colourType: 0, rows: new Uint8Array(10) }),
      "The picture has 16 bits for each colour",
    ],
    [
      "an animated PNG",
      png({
        width: 2,
        height: 2,
        depth: 8,
        colourType: 0,
        rows: new Uint8Array(6),
        others: [chunk("acTL", new Uint8Array(8))],
      }),
      "Animated pictures are not accepted",
    ],
  ])("refuses %s, with the reason", (_, bytes, reason) => {
    expect(refusal(bytesOf(Buffer.from(bytes)))).toBe(reason);
  });

  // Guarantee access/uploads-refused
  it("answers every damaged file with a reason", () => {
    for (let round = 0; round < 2000; round += 1) {
      const bytes = plain.slice();
      for (let change = 0; change < 3; change += 1) bytes[randomInt(bytes.length)] = randomInt(256);
      expect(["string", "object"]).toContain(typeof refusal(bytes.subarray(0, randomInt(bytes.length + 1))));
    }
  });
});

describe("the new pixels of a smaller picture", () => {
  const grey = (values: number[], width: number, opacity = 255): Pixels => ({
    data: Uint8ClampedArray.from(values.flatMap((value) => [value, value, value, opacity])),
    width,
    height: values.length / width,
  });
  const reds = ({ data }: Pixels) => [...data].filter((_, at) => at % 4 === 0);

  it("are the means of the areas that they cover", async () => {
    expect(reds(await scaleDown(grey([0, 100, 200, 100], 2), 1))).toEqual([100]);
    // Three pixels become two: each covers one and a half.
    expect(reds(await scaleDown(grey([0, 90, 240], 3), 2))).toEqual([30, 190]);
    const { width, height, data } = await scaleDown(
      grey(
        Array.from({ length: 700 * 300 }, () => 77),
        700,
      ),
      480,
    );
    expect([width, height, new Set(data)]).toEqual([480, 206, new Set([77, 255])]);
  });

  it("do not take the colour of what is transparent", async () => {
    const mixed: Pixels = { data: Uint8ClampedArray.of(200, 0, 0, 255, 0, 255, 0, 0), width: 2, height: 1 };
    expect([...(await scaleDown(mixed, 1)).data]).toEqual([200, 0, 0, 128]);
    expect([isTransparent(mixed), isTransparent(onWhite(mixed)), [...mixed.data]]).toEqual([
      true,
      false,
      [200, 0, 0, 255, 255, 255, 255, 255],
    ]);
  });

  it("stand upright, however the camera was held", () => {
    // 1 2 3
    // 4 5 6
    const held = grey([1, 2, 3, 4, 5, 6], 3);
    const upright = Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => [orientation, reds(turnUpright(held, orientation)).join(" ")]),
    );
    expect(upright).toEqual({
      1: "1 2 3 4 5 6",
      2: "3 2 1 6 5 4",
      3: "6 5 4 3 2 1",
      4: "4 5 6 1 2 3",
      5: "1 4 2 5 3 6",
      6: "4 1 5 2 6 3",
      7: "6 3 5 2 4 1",
      8: "3 6 2 5 1 4",
    });
  });
});
