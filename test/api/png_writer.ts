import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

export const bytesOf = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);

/** A chunk of a PNG. */
export function chunk(type: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** What a PNG says. */
interface Drawn {
  width: number;
  height: number;
  depth: number;
  colourType: number;
  interlaced?: boolean;
  /** Rows with the byte of their filter. */
  rows: Uint8Array;
  others?: Buffer[];
}

/** Writes a PNG that pngjs cannot write. */
export function png({
  width,
  height,
  depth,
  colourType,
  interlaced = false,
  rows,
  others = [],
}: Drawn): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType, 0, 0, interlaced ? 1 : 0], 8);
  const parts = [
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    ...others,
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return bytesOf(Buffer.concat(parts));
}

/** A picture of random colours, which cannot be compressed: of 180 pixels, it has 100 kB. */
export function noisyPng(side: number): Uint8Array<ArrayBuffer> {
  const rows = Buffer.concat(
    Array.from({ length: side }, () => Buffer.concat([Buffer.alloc(1), randomBytes(side * 3)])),
  );
  return png({ width: side, height: side, depth: 8, colourType: 2, rows });
}
