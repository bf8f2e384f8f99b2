import decodeJpegFile, { init as initJpegDecoder } from "@jsquash/jpeg/decode.js";
import encodeJpegFile, { init as initJpegEncoder } from "@jsquash/jpeg/encode.js";
import decodeWebpFile, { init as initWebpDecoder } from "@jsquash/webp/decode.js";
import encodeWebpFile, { init as initWebpEncoder } from "@jsquash/webp/encode.js";
import { readAsset } from "../../_shared/assets.ts";
import type { Pixels } from "../pixels.ts";
import { refused } from "../refuse.ts";

const QUALITY = 82;

type Bytes = Uint8Array<ArrayBuffer>;

/** Runs a codec once. */
type Run = <Result>(use: () => Promise<Result>) => Promise<Result>;

/**
 * Prepares a codec. Its program is compiled once. Its instance is kept, because the memory of many would wait for the collection of garbage. One that
 * has failed is not used again: a damaged file can leave it in any state.
 */
function codec(load: () => Promise<{ default: string }>, init: (program: WebAssembly.Module) => Promise<unknown>): Run {
  let program: Promise<WebAssembly.Module> | undefined;
  let isUsable = false;
  return async (use) => {
    program ??= readAsset(load()).then((bytes) => WebAssembly.compile(bytes));
    if (!isUsable) await init(await program);
    isUsable = false;
    const result = await use();
    isUsable = true;
    return result;
  };
}

const jpegDecoder = codec(() => import("@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm"), initJpegDecoder);
const jpegEncoder = codec(() => import("@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm"), initJpegEncoder);
const webpDecoder = codec(() => import("@jsquash/webp/codec/dec/webp_dec.wasm"), initWebpDecoder);
const webpEncoder = codec(() => import("@jsquash/webp/codec/enc/webp_enc_simd.wasm"), initWebpEncoder);

const asDamaged = (error: unknown) => Promise.reject(refused("damaged", error));

/** @throws Problem if the decoder fails */
export function decodeJpeg(bytes: Bytes): Promise<Pixels> {
  return jpegDecoder(() => decodeJpegFile(bytes.buffer)).catch(asDamaged);
}

/** @throws Problem if the decoder fails */
export function decodeWebp(bytes: Bytes): Promise<Pixels> {
  return webpDecoder(() => decodeWebpFile(bytes.buffer)).catch(asDamaged);
}

/** Opacity is lost. */
export async function encodeJpeg(pixels: Pixels): Promise<Bytes> {
  return new Uint8Array(await jpegEncoder(() => encodeJpegFile(pixels as ImageData, { quality: QUALITY, progressive: false })));
}

export async function encodeWebp(pixels: Pixels): Promise<Bytes> {
  return new Uint8Array(await webpEncoder(() => encodeWebpFile(pixels as ImageData, { quality: QUALITY, method: 2 })));
}
