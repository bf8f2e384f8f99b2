import { decodeWebp } from "../_shared/pictures/decode_webp.ts";
import type { Pixels } from "../_shared/pictures/structure.ts";
import { breathe } from "./breathe.ts";
import { decodeJpeg } from "./codecs/decode_jpeg.ts";
import { decodePng } from "./codecs/decode_png.ts";
import { encodeJpeg, encodeWebp } from "./codecs/encoders.ts";
import { toSrgb } from "./colours.ts";
import type { Inspected } from "./inspect.ts";
import { giveBack, isTransparent, LARGE, onWhite, scaleDown, SMALL, turnUpright } from "./pixels.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** One of the two files of a picture. */
export interface PictureFile {
  width: number;
  height: number;
  bytes: Bytes;
}

/** The two files of a picture, and what they are. */
export interface ProcessedPicture {
  mediaType: "image/jpeg" | "image/webp";
  large: PictureFile;
  small: PictureFile;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Draws a picture anew, in two sizes, so that nothing of the file but the picture is left. One picture at a time: each
 * needs much memory.
 * @param bytes cannot be read afterwards
 * @param opaque puts a transparent picture on white, and stores it as JPEG, which every reader of pictures knows.
 * Otherwise it is a WebP
 * @throws Problem if the file is damaged
 */
export function processPicture(bytes: Bytes, inspected: Inspected, opaque: boolean): Promise<ProcessedPicture> {
  const processed = last.then(() => process(bytes, inspected, opaque));
  last = processed.catch(() => undefined);
  return processed;
}

/** Decode a file, so that no side of the picture is longer than `most`. They throw a Problem if it is damaged. */
const decoders: Record<Inspected["type"], (bytes: Bytes, most: number) => Promise<Pixels>> = {
  jpeg: decodeJpeg,
  png: decodePng,
  async webp(bytes, most) {
    const decoded = await decodeWebp(bytes);
    return replaced(decoded, await scaleDown(decoded, most));
  },
};

async function process(bytes: Bytes, inspected: Inspected, opaque: boolean): Promise<ProcessedPicture> {
  const decoded = await decoders[inspected.type](bytes, LARGE);
  await toSrgb(decoded, inspected);
  giveBack(bytes);
  const upright = replaced(decoded, turnUpright(decoded, inspected.orientation));
  await breathe();
  const isWebp = !opaque && isTransparent(upright);
  const encode = async (pixels: Pixels): Promise<PictureFile> => {
    const file = await (isWebp ? encodeWebp : encodeJpeg)(pixels);
    await breathe();
    return { width: pixels.width, height: pixels.height, bytes: file };
  };
  const pixels = isWebp ? upright : onWhite(upright);
  const large = await encode(pixels);
  const small = await encode(replaced(pixels, await scaleDown(pixels, SMALL)));
  return { mediaType: isWebp ? "image/webp" : "image/jpeg", large, small };
}

function replaced(old: Pixels, pixels: Pixels): Pixels {
  if (pixels.data !== old.data) giveBack(old.data);
  return pixels;
}
