import startJpegEncoder from "../../../node_modules/icodec/dist/mozjpeg.js";
import startWebpEncoder from "../../../node_modules/icodec/dist/webp-enc.js";
import { defaultOptions as jpegOptions } from "../../../node_modules/icodec/lib/jpeg.js";
import { defaultOptions as webpOptions } from "../../../node_modules/icodec/lib/webp.js";
import { codec, type Library, type Start } from "../../_shared/pictures/codec.ts";
import type { Pixels } from "../../_shared/pictures/structure.ts";

const QUALITY = 82;

type Bytes = Uint8Array<ArrayBuffer>;

/** MozJPEG or libwebp, as far as they encode. */
interface Encoder extends Library {
  /** Returns a text that says why, if it fails. */
  encode: (data: Uint8ClampedArray, width: number, height: number, options: object) => Bytes | string;
}

const runJpegEncoder = codec(
  () => new URL("../../../node_modules/icodec/dist/mozjpeg.wasm", import.meta.url),
  startJpegEncoder as Start<Encoder>,
);
const runWebpEncoder = codec(
  () => new URL("../../../node_modules/icodec/dist/webp-enc.wasm", import.meta.url),
  startWebpEncoder as Start<Encoder>,
);

function encode({ data, width, height }: Pixels, options: object) {
  return (encoder: Encoder): Bytes => {
    const file = encoder.encode(data, width, height, { ...options, quality: QUALITY, bitDepth: 8 });
    if (typeof file === "string") throw new Error(`The encoder has failed: ${file}`);
    return file;
  };
}

/** Opacity is lost. */
export function encodeJpeg(pixels: Pixels): Promise<Bytes> {
  return runJpegEncoder(encode(pixels, { ...jpegOptions, progressive: false }));
}

export function encodeWebp(pixels: Pixels): Promise<Bytes> {
  return runWebpEncoder(encode(pixels, { ...webpOptions, method: 2 }));
}
