/** Decoding a larger picture would exceed the memory of an edge function, however small the file is. */
const MAX_PIXELS_PER_SIDE = 2048;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const IEND = 0x49454e44;

/** The media type of a complete PNG or JPEG within the size limit; undefined for anything else. */
export function pictureType(bytes: Uint8Array): "image/png" | "image/jpeg" | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isCompletePng(view)) return "image/png";
  return isCompleteJpeg(view) ? "image/jpeg" : undefined;
}

/** Reads the chunks: the first contains the size, and the last must be IEND at the end of the file. */
function isCompletePng(view: DataView): boolean {
  const { byteLength } = view;
  if (byteLength < 33 || !PNG_SIGNATURE.every((byte, index) => view.getUint8(index) === byte)) return false;
  if (!isAcceptedSize(view.getUint32(16), view.getUint32(20))) return false;
  for (let at = PNG_SIGNATURE.length; at + 12 <= byteLength; at += view.getUint32(at) + 12) {
    if (view.getUint32(at + 4) === IEND) return at + 12 === byteLength;
  }
  return false;
}

/** Reads the segments up to the one that contains the size. The last two bytes must be the end marker. */
function isCompleteJpeg(view: DataView): boolean {
  const { byteLength } = view;
  if (byteLength < 20 || view.getUint16(0) !== 0xffd8 || view.getUint16(byteLength - 2) !== 0xffd9) return false;
  for (let at = 2; at + 9 <= byteLength && view.getUint8(at) === 0xff; at += view.getUint16(at + 2) + 2) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return isAcceptedSize(view.getUint16(at + 7), view.getUint16(at + 5));
  }
  return false;
}

function isAcceptedSize(width: number, height: number): boolean {
  return Math.min(width, height) > 0 && Math.max(width, height) <= MAX_PIXELS_PER_SIDE;
}
