/** What the parts of a file say about the picture. */
export interface Structure {
  width: number;
  height: number;
  /** How a camera was held (EXIF, 1 to 8). 1 is upright. */
  orientation: number;
  /**
   * Whether a decoder has it in memory as a whole, beside the pixels: a WebP, or a JPEG whose picture is in several
   * scans.
   */
  isHeavy: boolean;
  /** The profile of its colours (ICC), in a PNG compressed. */
  profile: Uint8Array<ArrayBuffer> | undefined;
}

/** A decoded picture: red, green, blue and opacity of each pixel, row by row. */
export interface Pixels {
  data: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  height: number;
}

/** Puts parts of a file together. */
export function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
