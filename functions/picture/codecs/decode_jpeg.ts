import startDecoder from "@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs";
import { codec, type Library, type Start } from "../../_shared/pictures/codec.ts";
import { inspectJpeg } from "../../_shared/pictures/jpeg_structure.ts";
import { refused } from "../../_shared/pictures/refuse.ts";
import type { Pixels } from "../../_shared/pictures/structure.ts";
import { breathe } from "../breathe.ts";
import { giveBack, reduce } from "../pixels.ts";

/** libjpeg-turbo, as far as it decodes. */
interface JpegDecoder extends Library {
  JPEGDecoder: new () => {
    /** Where the file is put in the memory of the library. */
    getEncodedBuffer: (bytes: number) => Uint8Array;
    decode: () => void;
    getFrameInfo: () => { width: number; height: number; componentCount: number };
    /** A copy of the samples, one or three a pixel. */
    getDecodedBuffer: () => Uint8ClampedArray<ArrayBuffer>;
    delete: () => void;
  };
}

const run = codec(
  () =>
    new URL(
      "../../../node_modules/@cornerstonejs/codec-libjpeg-turbo-8bit/dist/libjpegturbowasm_decode.wasm",
      import.meta.url,
    ),
  startDecoder as Start<JpegDecoder>,
);

/**
 * Decodes a JPEG by libjpeg-turbo, and makes it smaller, so that no side is longer than `most`.
 * @throws Problem if it is damaged
 */
export async function decodeJpeg(bytes: Uint8Array<ArrayBuffer>, most: number): Promise<Pixels> {
  const { picture, width, height } = inspectJpeg(bytes);
  const samples = await run((library) => decodeSamples(library, picture(), width, height)).catch((error: unknown) =>
    Promise.reject(refused("damaged", error)),
  );
  const count = samples.length / (width * height);
  const smaller = reduce({ width, height }, most);
  const row = new Uint8ClampedArray(width * 4);
  for (let at = 0; at < samples.length;) {
    for (let to = 0; to < row.length; to += 4, at += count) {
      row[to] = samples[at]!;
      row[to + 1] = samples[at + (count >> 1)]!;
      row[to + 2] = samples[at + count - 1]!;
      row[to + 3] = 255;
    }
    smaller.add(row);
    await breathe();
  }
  giveBack(samples);
  return smaller.pixels;
}

function decodeSamples(
  { JPEGDecoder }: JpegDecoder,
  picture: Uint8Array,
  width: number,
  height: number,
): Uint8ClampedArray<ArrayBuffer> {
  const decoder = new JPEGDecoder();
  decoder.getEncodedBuffer(picture.length).set(picture);
  let failure: unknown;
  try {
    decoder.decode();
  } catch (error) {
    // After a warning, too, such as one of missing data: every viewer shows such a picture.
    failure = error;
  }
  const found = decoder.getFrameInfo();
  const samples = decoder.getDecodedBuffer();
  decoder.delete();
  const isOther =
    found.width !== width || found.height !== height || samples.length !== width * height * found.componentCount;
  if (isOther || (failure !== undefined && samples.every((sample) => sample === 0)))
    throw new Error("The decoder has failed, or found another size.", { cause: failure });
  return samples;
}
