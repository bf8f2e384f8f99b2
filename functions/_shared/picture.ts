/** Larger ones take more memory than an edge function has, however few bytes they come in. */
const MOST_PIXELS_A_SIDE = 2048;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const IEND = 0x49454e44;

/** Media type of a PNG or JPEG that is there from its first byte to its last and of a usual size; undefined for anything else. */
export function pictureType(bytes: Uint8Array): "image/png" | "image/jpeg" | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isWholePng(view)) return "image/png";
  return isWholeJpeg(view) ? "image/jpeg" : undefined;
}

/** Goes from chunk to chunk: the first has the size, the last must be IEND and end where the bytes do. */
function isWholePng(view: DataView): boolean {
  const { byteLength } = view;
  if (byteLength < 33 || !PNG_SIGNATURE.every((byte, index) => view.getUint8(index) === byte)) return false;
  if (!isUsualSize(view.getUint32(16), view.getUint32(20))) return false;
  for (let at = PNG_SIGNATURE.length; at + 12 <= byteLength; at += view.getUint32(at) + 12) {
    if (view.getUint32(at + 4) === IEND) return at + 12 === byteLength;
  }
  return false;
}

/** Goes from segment to segment up to the one with the size; the last two bytes must be the end marker. */
function isWholeJpeg(view: DataView): boolean {
  const { byteLength } = view;
  if (byteLength < 20 || view.getUint16(0) !== 0xffd8 || view.getUint16(byteLength - 2) !== 0xffd9) return false;
  for (let at = 2; at + 9 <= byteLength && view.getUint8(at) === 0xff; at += view.getUint16(at + 2) + 2) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return isUsualSize(view.getUint16(at + 7), view.getUint16(at + 5));
  }
  return false;
}

function isUsualSize(width: number, height: number): boolean {
  return Math.min(width, height) > 0 && Math.max(width, height) <= MOST_PIXELS_A_SIDE;
}
