import type { Inspected } from "../inspect.ts";
import type { Pixels } from "../pixels.ts";
import { type CLibrary, putFile, takePixels } from "./c_library.ts";

/** The part of TurboJPEG that decodes. */
interface TurboJpeg extends CLibrary {
  tjInitDecompress: () => number;
  tjDecompressHeader3: (handle: number, ...values: number[]) => number;
  tjDecompress2: (handle: number, ...values: number[]) => number;
  tjDestroy: (handle: number) => number;
}

const RGBA = 7;

/**
 * Decodes a JPEG by TurboJPEG. Of a large picture, it decodes as many eighths of the size as `most` needs: of 16 megapixels at most 25 MB instead of 64. A
 * warning, such as one of superfluous bytes, is no error: every viewer shows such a picture.
 */
export function decodeJpeg(library: CLibrary, bytes: Uint8Array, inspected: Inspected, most: number): Pixels {
  const turbo = library as TurboJpeg;
  const handle = turbo.tjInitDecompress();
  const file = putFile(turbo, bytes);
  const size = turbo.malloc(16);
  turbo.tjDecompressHeader3(handle, file, bytes.length, size, size + 4, size + 8, size + 12);
  const found = new Uint32Array(turbo.memory.buffer, size, 2);
  if (found[0] !== inspected.width || found[1] !== inspected.height) throw new Error("The decoder has found another size.");
  turbo.free(size);
  const eighths = Math.min(8, Math.ceil((most * 8) / Math.max(inspected.width, inspected.height)));
  const width = Math.ceil((inspected.width * eighths) / 8);
  const height = Math.ceil((inspected.height * eighths) / 8);
  const pixels = turbo.malloc(width * height * 4);
  turbo.tjDecompress2(handle, file, bytes.length, pixels, width, width * 4, height, RGBA, 0);
  turbo.tjDestroy(handle);
  turbo.free(file);
  return takePixels(turbo, pixels, width, height, most);
}
