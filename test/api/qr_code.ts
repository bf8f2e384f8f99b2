import jsQR from "jsqr";
import type { PNG } from "pngjs";

// Its types are those of an ES module, which it is not.
const readQrCode = jsQR as unknown as typeof jsQR.default;

/** What the QR code in a picture says; undefined where there is none. */
export function textOf({ data, width, height }: PNG): string | undefined {
  return readQrCode(new Uint8ClampedArray(data), width, height)?.data;
}
