import { deflateSync } from "node:zlib";
import type { Pixels } from "../../functions/_shared/pictures/structure.ts";
import { writeWebp } from "../api/picture_writer.ts";
import { bytesOf, chunk, png } from "../api/png_writer.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A picture of one colour. */
export function plain(width: number, height: number, red: number, green: number, blue: number, opacity = 255): Pixels {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < data.length; at += 4) data.set([red, green, blue, opacity], at);
  return { data, width, height };
}

export const followedBy = (file: Uint8Array, text: string | Uint8Array): Bytes =>
  bytesOf(Buffer.concat([file, typeof text === "string" ? Buffer.from(text, "latin1") : text]));

/** Puts a segment into a JPEG, behind its beginning. */
export function withSegment(jpeg: Uint8Array, marker: number, content: Uint8Array): Bytes {
  const head = Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255]);
  return bytesOf(Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]));
}

/** EXIF with an orientation. */
export function exif(orientation: number): Buffer {
  const tiff = Buffer.from("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0", "latin1");
  tiff.writeUInt16BE(orientation, 18);
  return Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
}

/** A grey JPEG with four colours for printing, of blocks without any detail: each takes two bits, which are 0. */
export function printJpeg(width: number, height: number): Bytes {
  const segment = (marker: number, ...content: number[]) => [
    0xff,
    marker,
    (content.length + 2) >> 8,
    (content.length + 2) & 255,
    ...content,
  ];
  const table = (kind: number) => segment(0xc4, kind, 1, ...Array<number>(15).fill(0), 0);
  const sides = [height >> 8, height & 255, width >> 8, width & 255];
  const ids = [1, 2, 3, 4];
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  return bytesOf(
    Buffer.concat([
      Buffer.from([
        ...[0xff, 0xd8],
        ...segment(0xee, ...Buffer.from("Adobe"), 0, 100, 0, 0, 0, 0, 0),
        ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
        ...segment(0xc0, 8, ...sides, 4, ...ids.flatMap((id) => [id, 0x11, 0])),
        ...table(0x00),
        ...table(0x10),
        ...segment(0xda, 4, ...ids.flatMap((id) => [id, 0]), 0, 63, 0),
      ]),
      Buffer.alloc(blocks),
      Buffer.from([0xff, 0xd9]),
    ]),
  );
}

/** A PNG of one grey with 16 bits for each sample. */
export const deepPng = (width: number, height: number): Bytes =>
  png({ width, height, depth: 16, colourType: 0, rows: new Uint8Array((width * 2 + 1) * height) });

function riff(...chunks: Buffer[]): Bytes {
  const content = Buffer.concat([Buffer.from("WEBP"), ...chunks]);
  const head = Buffer.from("RIFF\0\0\0\0");
  head.writeUInt32LE(content.length, 4);
  return bytesOf(Buffer.concat([head, content]));
}

function webpChunk(type: string, content: Uint8Array): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Bytes of a number of 24 bits. */
const bytes24 = (value: number) => [value & 255, (value >> 8) & 255, value >> 16];

/** The first chunk of an extended WebP. @param flags 2 is an animation, 32 a profile */
const extended = (width: number, height: number, flags: number) =>
  webpChunk("VP8X", Uint8Array.from([flags, 0, 0, 0, ...bytes24(width - 1), ...bytes24(height - 1)]));

/** A WebP of two frames. */
export async function animatedWebp(width: number, height: number): Promise<Bytes> {
  const frame = async (green: number) => {
    const still = await writeWebp(plain(width, height, 200, green, 0), { quality: 60, method: 0 });
    const place = [...bytes24(0), ...bytes24(0), ...bytes24(width - 1), ...bytes24(height - 1), ...bytes24(100), 0];
    return webpChunk("ANMF", Buffer.concat([Buffer.from(place), still.subarray(12)]));
  };
  return riff(extended(width, height, 2), webpChunk("ANIM", new Uint8Array(6)), await frame(0), await frame(200));
}

/** A WebP with a profile of its colours. */
export const profiledWebp = (still: Uint8Array, width: number, height: number, profile: Uint8Array): Bytes =>
  riff(extended(width, height, 32), webpChunk("ICCP", profile), Buffer.from(still.subarray(12)));

/** A PNG of one colour with a profile of its colours. */
export function profiledPng(width: number, height: number, colour: number[], profile: Uint8Array): Bytes {
  const rows = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows.set(colour, y * (width * 3 + 1) + 1 + x * 3);
  const others = [chunk("iCCP", Buffer.concat([Buffer.from("a profile\0\0", "latin1"), deflateSync(profile)]))];
  return png({ width, height, depth: 8, colourType: 2, rows, others });
}

/** The curve of sRGB, with its parameters, and that of Adobe RGB, as one number. */
const CURVES = {
  srgb: Buffer.concat([
    Buffer.from("para\0\0\0\0\0\x03\0\0", "latin1"),
    fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045),
  ]),
  gamma: Buffer.from("curv\0\0\0\0\0\0\0\x01\x02\x33\0\0", "latin1"),
  /** Three values: half the light at the middle. */
  table: Buffer.from("curv\0\0\0\0\0\0\0\x03\0\0\x80\0\xff\xff\0\0", "latin1"),
};

/** XYZ for D50 of full red, green and blue. */
const PRIMARIES = {
  displayP3: [0.51512, 0.2412, -0.00105, 0.29198, 0.69225, 0.04189, 0.1571, 0.06657, 0.78407],
  adobeRgb: [0.60974, 0.31111, 0.01947, 0.20528, 0.62567, 0.06087, 0.14919, 0.06322, 0.74457],
  srgb: [0.43607, 0.22249, 0.01392, 0.38515, 0.71687, 0.09708, 0.14307, 0.06061, 0.7141],
};

function fixed(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeInt32BE(Math.round(value * 65536), at * 4));
  return bytes;
}

/** A profile for a screen (ICC). */
export function iccProfile(primaries: keyof typeof PRIMARIES, curve: keyof typeof CURVES): Bytes {
  const xyz = (values: number[]) => Buffer.concat([Buffer.from("XYZ \0\0\0\0", "latin1"), fixed(...values)]);
  const parts = PRIMARIES[primaries];
  const tags: [string, Buffer][] = [
    ["wtpt", xyz([0.9642, 1, 0.8249])],
    ...["r", "g", "b"].map((name, at) => [`${name}XYZ`, xyz(parts.slice(at * 3, at * 3 + 3))] as [string, Buffer]),
    ...["r", "g", "b"].map((name) => [`${name}TRC`, CURVES[curve]] as [string, Buffer]),
  ];
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  let at = 128 + table.length;
  tags.forEach(([name, content], index) => {
    table.write(name, 4 + 12 * index, "latin1");
    table.writeUInt32BE(at, 8 + 12 * index);
    table.writeUInt32BE(content.length, 12 + 12 * index);
    at += content.length;
  });
  const header = Buffer.alloc(128);
  header.writeUInt32BE(at);
  header.write("\x04\x30\0\0mntrRGB XYZ ", 8, "latin1");
  header.write("acsp", 36, "latin1");
  return bytesOf(Buffer.concat([header, table, ...tags.map(([, content]) => content)]));
}

/** The segments of a JPEG that hold a profile, in the wrong order. */
export function withProfile(jpeg: Uint8Array, profile: Uint8Array): Bytes {
  const half = Math.ceil(profile.length / 2);
  const part = (number: number, content: Uint8Array) =>
    Buffer.concat([Buffer.from("ICC_PROFILE\0", "latin1"), Buffer.from([number, 2]), content]);
  return withSegment(
    withSegment(jpeg, 0xe2, part(1, profile.subarray(0, half))),
    0xe2,
    part(2, profile.subarray(half)),
  );
}
