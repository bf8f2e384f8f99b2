import { jpeg, webp } from "icodec/node";
import type { Pixels } from "../../functions/_shared/pictures/structure.ts";
import { bytesOf } from "./png_writer.ts";

/** Writes a JPEG. */
export async function writeJpeg(picture: Pixels, options: jpeg.Options): Promise<Uint8Array<ArrayBuffer>> {
  await jpeg.loadEncoder();
  return bytesOf(Buffer.from(jpeg.encode({ ...picture, depth: 8 }, options)));
}

/** Writes a WebP. */
export async function writeWebp(picture: Pixels, options: webp.Options): Promise<Uint8Array<ArrayBuffer>> {
  await webp.loadEncoder();
  return bytesOf(Buffer.from(webp.encode({ ...picture, depth: 8 }, options)));
}

/** The red, green and blue in the middle of a JPEG. */
export async function middleOf(file: Uint8Array): Promise<number[]> {
  await jpeg.loadDecoder();
  const { data, width, height } = jpeg.decode(bytesOf(Buffer.from(file)));
  const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
  return [...data.subarray(at, at + 3)];
}
