import jsQR from "jsqr";
import type { PNG } from "pngjs";

// Its types describe an ES module, but it is a CommonJS module.
const readQrCode = jsQR as unknown as typeof jsQR.default;

/** The text of the QR code in a picture; undefined if there is none. */
export function textOf({ data, width, height }: PNG): string | undefined {
  return readQrCode(new Uint8ClampedArray(data), width, height)?.data;
}
