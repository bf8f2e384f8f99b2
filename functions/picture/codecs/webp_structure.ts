import type { Structure } from "../inspect.ts";
import { refused } from "../refuse.ts";

const ANIMATION = 0x02;

/** Reads the chunks of a WebP up to its end. @throws Problem if it does not end where the file does, or is animated */
export function inspectWebp(bytes: Uint8Array): Structure {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const declared = 8 + view.getUint32(4, true);
  if (declared > bytes.length) throw refused("damaged");
  if (declared < bytes.length) throw refused("more");
  let structure: Structure | undefined;
  let at = 12;
  while (at + 8 <= bytes.length) {
    const type = String.fromCharCode(...bytes.subarray(at, at + 4));
    const length = view.getUint32(at + 4, true);
    const content = at + 8;
    if (content + length > bytes.length) throw refused("damaged");
    if (type === "ANIM" || type === "ANMF" || (type === "VP8X" && (bytes[content]! & ANIMATION) !== 0)) throw refused("animated");
    if (type === "VP8 " || type === "VP8L") {
      // A second picture would replace the size that was checked.
      if (structure || length < 10) throw refused("damaged");
      const isLossless = type === "VP8L";
      structure = { ...(isLossless ? losslessSize(view, content) : lossySize(view, content)), isHeavy: isLossless, orientation: 1 };
    }
    // Chunks begin at even places.
    at = content + length + (length % 2);
  }
  if (!structure || at !== bytes.length) throw refused("damaged");
  return structure;
}

function lossySize(view: DataView, at: number): { width: number; height: number } {
  return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff };
}

function losslessSize(view: DataView, at: number): { width: number; height: number } {
  const bits = view.getUint32(at + 1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
