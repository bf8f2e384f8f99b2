import type { Inspected } from "../inspect.ts";
import type { Pixels } from "../pixels.ts";
import { type CLibrary, putFile, takePixels } from "./c_library.ts";

/** The part of libwebp that decodes. */
interface LibWebp extends CLibrary {
  WebPDecodeRGBA: (file: number, bytes: number, width: number, height: number) => number;
}

/** Decodes a WebP by libwebp. */
export function decodeWebp(library: CLibrary, bytes: Uint8Array, { width, height }: Inspected, most: number): Pixels {
  const webp = library as LibWebp;
  const file = putFile(webp, bytes);
  const size = webp.malloc(8);
  const pixels = webp.WebPDecodeRGBA(file, bytes.length, size, size + 4);
  const found = new Uint32Array(webp.memory.buffer, size, 2);
  if (pixels === 0 || found[0] !== width || found[1] !== height) throw new Error("The decoder has failed, or found another size.");
  webp.free(size);
  webp.free(file);
  return takePixels(webp, pixels, width, height, most);
}
