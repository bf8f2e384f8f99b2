import startDecoder from "../../../node_modules/icodec/dist/webp-dec.js";
import { codec, type Library, type Start } from "./codec.ts";
import { refused } from "./refuse.ts";
import type { Pixels } from "./structure.ts";
import { inspectWebp } from "./webp_structure.ts";

/** libwebp, as far as it decodes. */
interface WebpDecoder extends Library {
  /** Returns null for what it cannot decode. */
  decode: (file: Uint8Array) => Pixels | null;
}

const run = codec(
  () => new URL("../../../node_modules/icodec/dist/webp-dec.wasm", import.meta.url),
  startDecoder as Start<WebpDecoder>,
);

/** Decodes a WebP by libwebp. @throws Problem if it is damaged */
export async function decodeWebp(bytes: Uint8Array<ArrayBuffer>): Promise<Pixels> {
  const { picture, width, height } = inspectWebp(bytes);
  try {
    return await run((library) => {
      const decoded = library.decode(picture);
      if (decoded?.width !== width || decoded.height !== height)
        throw new Error("The decoder has failed, or found another size.");
      return decoded;
    });
  } catch (error) {
    throw refused("damaged", error);
  }
}
