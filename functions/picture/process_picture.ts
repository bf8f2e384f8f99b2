import { decoders, encodeJpeg, encodeWebp } from "./codecs/codecs.ts";
import type { Inspected } from "./inspect.ts";
import { giveBack, isTransparent, LARGE, onWhite, type Pixels, scaleDown, SMALL, turnUpright } from "./pixels.ts";

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
 * Draws a picture anew, in two sizes, so that nothing of the file but the picture is left. One picture at a time: each needs much memory.
 * @param bytes cannot be read afterwards
 * @param opaque puts a transparent picture on white, and stores it as JPEG, which every reader of pictures knows. Otherwise it is a WebP
 * @throws Problem if the file is damaged
 */
export function processPicture(bytes: Bytes, inspected: Inspected, opaque: boolean): Promise<ProcessedPicture> {
  const processed = last.then(() => process(bytes, inspected, opaque));
  last = processed.catch(() => undefined);
  return processed;
}

async function process(bytes: Bytes, inspected: Inspected, opaque: boolean): Promise<ProcessedPicture> {
  const decoded = await decoders[inspected.type](bytes, inspected, LARGE);
  giveBack(bytes);
  const upright = replaced(decoded, turnUpright(decoded, inspected.orientation));
  const isWebp = !opaque && isTransparent(upright);
  const encode = async (pixels: Pixels): Promise<PictureFile> => ({
    width: pixels.width,
    height: pixels.height,
    bytes: await (isWebp ? encodeWebp : encodeJpeg)(pixels),
  });
  const pixels = isWebp ? upright : onWhite(upright);
  const large = await encode(pixels);
  return { mediaType: isWebp ? "image/webp" : "image/jpeg", large, small: await encode(replaced(pixels, scaleDown(pixels, SMALL))) };
}

function replaced(old: Pixels, pixels: Pixels): Pixels {
  if (pixels.data !== old.data) giveBack(old.data);
  return pixels;
}
