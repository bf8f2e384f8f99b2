import { inspectJpeg } from "../_shared/pictures/jpeg_structure.ts";
import { inspectPng } from "../_shared/pictures/png_structure.ts";
import { refused } from "../_shared/pictures/refuse.ts";
import type { Structure } from "../_shared/pictures/structure.ts";
import { inspectWebp } from "../_shared/pictures/webp_structure.ts";

/** What a file says about itself, before anything is decoded. */
export interface Inspected extends Structure {
  type: "jpeg" | "png" | "webp";
}

const MAX_PIXELS = 16_000_000;
const MAX_HEAVY_PIXELS = 8_000_000;
/** A decoder needs time and memory for each row and each column, also for one of a single pixel. */
const MAX_SIDE = 16_384;

const startsWith = (bytes: Uint8Array, text: string, at = 0) =>
  [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));

/**
 * Reads type and size from the content of a file, whatever its name and media type say, and walks through it to its
 * end. What follows, such as padding or a film, is not kept.
 * @throws Problem that says why the file is not accepted
 */
export function inspect(bytes: Uint8Array<ArrayBuffer>): Inspected {
  const inspected = inspectByType(bytes);
  const { width, height, isHeavy } = inspected;
  if (width < 1 || height < 1) throw refused("damaged");
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) throw refused("pixels");
  if (isHeavy && width * height > MAX_HEAVY_PIXELS) throw refused("heavy");
  return inspected;
}

function inspectByType(bytes: Uint8Array<ArrayBuffer>): Inspected {
  if (startsWith(bytes, "\xff\xd8\xff")) return { type: "jpeg", ...inspectJpeg(bytes) };
  if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) return { type: "png", ...inspectPng(bytes) };
  if (startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8)) return { type: "webp", ...inspectWebp(bytes) };
  if (startsWith(bytes, "ftyp", 4)) throw refused("heic");
  // An SVG may begin with a byte order mark, a declaration, comments and a document type.
  const beginning = new TextDecoder().decode(bytes.subarray(0, 4096)).trimStart();
  if (beginning.startsWith("<") && /<svg[\s>]/i.test(beginning)) throw refused("svg");
  throw refused("unknown");
}
