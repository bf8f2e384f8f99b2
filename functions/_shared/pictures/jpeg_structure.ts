import { refused } from "./refuse.ts";
import { joined, type Structure } from "./structure.ts";

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
/** Baseline, extended and progressive frames. The decoder knows no others. */
const FRAMES = [0xc0, 0xc1, 0xc2];
const PROGRESSIVE = 0xc2;
const OTHER_FRAMES = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
/** What the picture is drawn from: frame, tables, scans, and what says in which colours it is. */
const NEEDED = [...FRAMES, 0xc4, 0xdb, 0xdd, SOS, APP0, APP14];
/** A progressive picture has about ten. Each one costs as much as the whole picture. */
const MAX_SCANS = 40;
const ORIENTATION = 0x0112;
const PROFILE = new TextEncoder().encode("ICC_PROFILE\0");

/** What is needed to decode a JPEG. */
interface JpegParts extends Structure {
  /**
   * The file without what is not the picture: no text, place, profile, second picture or padding reaches the decoder.
   */
  picture: () => Uint8Array<ArrayBuffer>;
}

/**
 * Reads the segments and scans of a JPEG up to its end. What follows is not looked at: a camera puts a second picture,
 * a film or padding there.
 * @throws Problem if it does not end
 */
export function inspectJpeg(bytes: Uint8Array<ArrayBuffer>): JpegParts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const needed = [bytes.subarray(0, 2)];
  const profile: Uint8Array<ArrayBuffer>[] = [];
  let size: { width: number; height: number; isProgressive: boolean } | undefined;
  let orientation = 1;
  let scans = 0;
  for (let at = 2; at + 1 < bytes.length;) {
    const marker = bytes[at + 1]!;
    // Viewers go on at the next marker, too.
    if (bytes[at] !== 0xff || marker === 0xff || marker === 0x00) {
      at += 1;
      continue;
    }
    if (marker === SOI) throw refused("damaged");
    if (marker === EOI) {
      if (!size || scans === 0) throw refused("damaged");
      const { width, height, isProgressive } = size;
      const picture = () => joined([...needed, Uint8Array.of(0xff, EOI)]);
      return { width, height, isHeavy: isProgressive || scans > 1, orientation, profile: profileOf(profile), picture };
    }
    if (at + 4 > bytes.length) break;
    const length = view.getUint16(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length || OTHER_FRAMES.includes(marker)) throw refused("damaged");
    if (FRAMES.includes(marker)) {
      // A second frame would replace the size that was checked.
      if (size || length < 9 || bytes[at + 4] !== 8) throw refused("damaged");
      if (bytes[at + 9] === 4) throw refused("print");
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7), isProgressive: marker === PROGRESSIVE };
    }
    if (marker === APP1) orientation = orientationOf(view, at + 4, end) ?? orientation;
    if (marker === APP2) profile.push(bytes.subarray(at + 4, end));
    const next = marker === SOS ? endOfScan(bytes, end) : end;
    if (marker === SOS) scans += 1;
    if (scans > MAX_SCANS) throw refused("damaged");
    if (NEEDED.includes(marker)) needed.push(bytes.subarray(at, next));
    at = next;
  }
  throw refused("damaged");
}

/**
 * Where the next marker behind the data of a scan stands. In the data, 0xff is followed by 0x00 or by a restart marker.
 */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next !== 0x00 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
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

/** The profile, of which each segment has a numbered part. */
function profileOf(segments: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> | undefined {
  const parts = segments
    .filter((segment) => PROFILE.every((letter, at) => segment[at] === letter))
    .sort((one, other) => one[PROFILE.length]! - other[PROFILE.length]!);
  return parts.length === 0 ? undefined : joined(parts.map((part) => part.subarray(PROFILE.length + 2)));
}
