import { refused } from "./refuse.ts";
import type { Structure } from "./structure.ts";

const ANIMATION = 0x02;

/** What is needed to decode a WebP. */
interface WebpParts extends Structure {
  /** The file without what follows its end. */
  picture: Uint8Array<ArrayBuffer>;
}

/**
 * Reads the chunks of a WebP up to its end. What follows is not looked at.
 * @throws Problem if it does not end, or is animated
 */
export function inspectWebp(bytes: Uint8Array<ArrayBuffer>): WebpParts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12) throw refused("damaged");
  const end = 8 + view.getUint32(4, true);
  if (end > bytes.length) throw refused("damaged");
  let size: { width: number; height: number } | undefined;
  let profile: Uint8Array<ArrayBuffer> | undefined;
  for (let at = 12; at + 8 <= end;) {
    const type = String.fromCharCode(...bytes.subarray(at, at + 4));
    const length = view.getUint32(at + 4, true);
    const content = at + 8;
    if (content + length > end) throw refused("damaged");
    if (type === "ANIM" || type === "ANMF" || (type === "VP8X" && (bytes[content]! & ANIMATION) !== 0))
      throw refused("animated");
    if (type === "ICCP") profile ??= bytes.subarray(content, content + length);
    if (type === "VP8 " || type === "VP8L") {
      // A second picture would replace the size that was checked.
      if (size || length < 10) throw refused("damaged");
      size = type === "VP8L" ? losslessSize(view, content) : lossySize(view, content);
    }
    // Chunks begin at even places.
    at = content + length + (length % 2);
  }
  if (!size) throw refused("damaged");
  return { ...size, isHeavy: true, orientation: 1, profile, picture: bytes.subarray(0, end) };
}

function lossySize(view: DataView, at: number): { width: number; height: number } {
  return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff };
}

function losslessSize(view: DataView, at: number): { width: number; height: number } {
  const bits = view.getUint32(at + 1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
