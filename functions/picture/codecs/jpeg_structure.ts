import type { Structure } from "../inspect.ts";
import { refused } from "../refuse.ts";

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP1 = 0xe1;
/** Baseline, extended and progressive frames. The decoder knows no others. */
const FRAMES = [0xc0, 0xc1, 0xc2];
const PROGRESSIVE = 0xc2;
const OTHER_FRAMES = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
/** A progressive picture has about ten. Each one costs as much as the whole picture. */
const MAX_SCANS = 40;
const ORIENTATION = 0x0112;

/** Reads the segments and scans of a JPEG up to its end. @throws Problem if it does not end where the file does */
export function inspectJpeg(bytes: Uint8Array): Structure {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let size: Omit<Structure, "orientation"> | undefined;
  let orientation = 1;
  let scans = 0;
  for (let at = 2; at + 1 < bytes.length;) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 0xff || marker === SOI || marker === 0x00) throw refused("damaged");
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === EOI) {
      if (!size || scans === 0) throw refused("damaged");
      if (at + 2 !== bytes.length) throw refused("more");
      return { ...size, orientation };
    }
    if (at + 4 > bytes.length) break;
    const length = view.getUint16(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length || OTHER_FRAMES.includes(marker)) throw refused("damaged");
    if (FRAMES.includes(marker)) {
      // A second frame would replace the size that was checked.
      if (size || length < 9 || bytes[at + 4] !== 8) throw refused("damaged");
      if (bytes[at + 9] === 4) throw refused("print");
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7), isHeavy: marker === PROGRESSIVE };
    }
    if (marker === APP1) orientation = orientationOf(view, at + 4, end) ?? orientation;
    at = end;
    if (marker === SOS) {
      scans += 1;
      if (scans > MAX_SCANS) throw refused("damaged");
      at = endOfScan(bytes, at);
    }
  }
  throw refused("damaged");
}

/** Where the next marker behind the data of a scan stands. In the data, 0xff is followed by 0x00 or by a restart marker. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next !== 0x00 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw refused("damaged");
}

/** The orientation in a segment of EXIF. */
function orientationOf(view: DataView, from: number, end: number): number | undefined {
  if (end - from < 14 || view.getUint32(from) !== 0x45786966) return undefined;
  const tiff = from + 6;
  const little = view.getUint16(tiff) === 0x4949;
  const entries = tiff + view.getUint32(tiff + 4, little);
  if (entries + 2 > end) return undefined;
  const count = view.getUint16(entries, little);
  for (let entry = entries + 2; entry + 12 <= end && entry < entries + 2 + count * 12; entry += 12) {
    if (view.getUint16(entry, little) !== ORIENTATION) continue;
    const value = view.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}
