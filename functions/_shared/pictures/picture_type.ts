import { inspectJpeg } from "./jpeg_structure.ts";
import { inspectWebp } from "./webp_structure.ts";

/** Decoding a larger picture would exceed the memory of an edge function, however small the file is. */
const MAX_PIXELS_PER_SIDE = 2048;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const IEND = 0x49454e44;

interface Size {
  width: number;
  height: number;
}

/**
 * The media type of a complete PNG, JPEG or still WebP within the size limit; undefined for anything else. What follows
 * the end of the picture does not count.
 */
export function pictureType(bytes: Uint8Array<ArrayBuffer>): "image/png" | "image/jpeg" | "image/webp" | undefined {
  if (isAccepted(sizeOfPng(bytes))) return "image/png";
  try {
    if (bytes[0] === 0xff && bytes[1] === 0xd8) return isAccepted(inspectJpeg(bytes)) ? "image/jpeg" : undefined;
    return String.fromCharCode(...bytes.subarray(8, 12)) === "WEBP" && isAccepted(inspectWebp(bytes))
      ? "image/webp"
      : undefined;
  } catch {
    // Damaged, animated, or for printing.
    return undefined;
  }
}

/** Reads the chunks up to the last one, IEND. The first contains the size. */
function sizeOfPng(bytes: Uint8Array): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { byteLength } = view;
  if (byteLength < 33 || !PNG_SIGNATURE.every((byte, index) => view.getUint8(index) === byte)) return undefined;
  for (let at = PNG_SIGNATURE.length; at + 12 <= byteLength; at += view.getUint32(at) + 12) {
    if (view.getUint32(at + 4) === IEND) return { width: view.getUint32(16), height: view.getUint32(20) };
  }
  return undefined;
}

function isAccepted(size: Size | undefined): boolean {
  return (
    size !== undefined &&
    Math.min(size.width, size.height) > 0 &&
    Math.max(size.width, size.height) <= MAX_PIXELS_PER_SIDE
  );
}
