import { decodeJpeg, decodeWebp, encodeJpeg, encodeWebp } from "./codecs/codecs.ts";
import { decodePng } from "./codecs/decode_png.ts";
import type { Inspected } from "./inspect.ts";
import { isTransparent, LARGE, onWhite, type Pixels, scaleDown, SMALL, turnUpright } from "./pixels.ts";

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

const decoders = { jpeg: decodeJpeg, png: decodePng, webp: decodeWebp };

let last: Promise<unknown> = Promise.resolve();

/**
 * Draws a picture anew, in two sizes, so that nothing of the file but the picture is left. One picture at a time: each needs much memory.
 * @param opaque puts a transparent picture on white, and stores it as JPEG, which every reader of pictures knows. Otherwise it is a WebP
 * @throws Problem if the file is damaged
 */
export function processPicture(bytes: Bytes, inspected: Inspected, opaque: boolean): Promise<ProcessedPicture> {
  const processed = last.then(() => process(bytes, inspected, opaque));
  last = processed.catch(() => undefined);
  return processed;
}

async function process(bytes: Bytes, { type, orientation }: Inspected, opaque: boolean): Promise<ProcessedPicture> {
  const decoded = await decoders[type](bytes);
  const upright = turnUpright(replaced(decoded, scaleDown(decoded, LARGE)), orientation);
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

/** Gives back the memory of pixels that others have replaced. The collection of garbage would come too late for the next picture. */
function replaced(old: Pixels, pixels: Pixels): Pixels {
  if (pixels !== old) old.data.buffer.transfer(0);
  return pixels;
}
