import encodeJpegFile, { init as initJpegEncoder } from "@jsquash/jpeg/encode.js";
import encodeWebpFile, { init as initWebpEncoder } from "@jsquash/webp/encode.js";
import { readAsset } from "../../_shared/assets.ts";
import type { Inspected } from "../inspect.ts";
import type { Pixels } from "../pixels.ts";
import { refused } from "../refuse.ts";
import { type CLibrary, startLibrary } from "./c_library.ts";
import { decodeJpeg } from "./decode_jpeg.ts";
import { decodePng } from "./decode_png.ts";
import { decodeWebp } from "./decode_webp.ts";

const QUALITY = 82;
/** A decoder with more memory is not kept: the memory of an instance never shrinks, and so much begins a collection of garbage. */
const MOST_KEPT = 32 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** Runs a codec once. */
type Run<Codec> = <Result>(use: (codec: Codec) => Result | Promise<Result>) => Promise<Result>;

/**
 * Prepares a codec. Its program is compiled once. Its instance is kept, because the memory of many would wait for the collection of garbage. One that
 * has failed is not used again: a damaged file can leave it in any state.
 * @param isKept whether an instance that has succeeded is kept
 */
function codec<Codec>(
  load: () => Promise<{ default: string }>,
  start: (program: WebAssembly.Module) => Codec | Promise<Codec>,
  isKept: (codec: Codec) => boolean = () => true,
): Run<Codec> {
  let program: Promise<WebAssembly.Module> | undefined;
  let usable: Codec | undefined;
  return async (use) => {
    program ??= readAsset(load()).then((bytes) => WebAssembly.compile(bytes));
    const started = usable ?? (await start(await program));
    usable = undefined;
    const result = await use(started);
    if (isKept(started)) usable = started;
    return result;
  };
}

type Decode = (bytes: Bytes, inspected: Inspected, most: number) => Promise<Pixels>;

function decoder(load: () => Promise<{ default: string }>, decode: (library: CLibrary, ...file: Parameters<Decode>) => Pixels): Decode {
  const run = codec(load, startLibrary, ({ memory }) => memory.buffer.byteLength <= MOST_KEPT);
  return (...file) => run((library) => decode(library, ...file)).catch((error: unknown) => Promise.reject(refused("damaged", error)));
}

/** Decode a file, so that no side of the picture is longer than `most`. They throw a Problem if it is damaged. */
export const decoders: Record<Inspected["type"], Decode> = {
  jpeg: decoder(() => import("@cwasm/jpeg-turbo/jpeg-turbo.wasm"), decodeJpeg),
  png: (bytes, _, most) => decodePng(bytes, most),
  webp: decoder(() => import("@cwasm/webp/webp.wasm"), decodeWebp),
};

const jpegEncoder = codec(
  () => import("@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm"),
  (program) => initJpegEncoder(program).then(() => encodeJpegFile),
);
const webpEncoder = codec(
  () => import("@jsquash/webp/codec/enc/webp_enc_simd.wasm"),
  (program) => initWebpEncoder(program).then(() => encodeWebpFile),
);

/** Opacity is lost. */
export async function encodeJpeg(pixels: Pixels): Promise<Bytes> {
  return new Uint8Array(await jpegEncoder((encode) => encode(pixels as ImageData, { quality: QUALITY, progressive: false })));
}

export async function encodeWebp(pixels: Pixels): Promise<Bytes> {
  return new Uint8Array(await webpEncoder((encode) => encode(pixels as ImageData, { quality: QUALITY, method: 2 })));
}
