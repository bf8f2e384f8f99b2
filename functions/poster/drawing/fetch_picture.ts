import { decodeWebp } from "../../_shared/pictures/decode_webp.ts";
import { pictureType } from "../../_shared/pictures/picture_type.ts";
import { readBytes } from "../../_shared/ground/read_bytes.ts";
import { pngOf } from "./png_of.ts";

const DEADLINE_MS = 2000;
const MAX_BYTES = 200 * 1024;

/**
 * Fetches a picture, as PNG or JPEG, which the renderer draws: a transparent picture of the store is a WebP. The
 * database gives only addresses of allowed origins (app.shown_avatar), and a redirection is not followed: members
 * choose the address, and the request is sent from a network that they cannot reach.
 * @returns undefined for a picture that cannot be fetched
 */
export async function fetchPicture(address: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(DEADLINE_MS) });
    const bytes = await readBytes(response, MAX_BYTES);
    const type = response.ok ? pictureType(bytes) : undefined;
    return type === "image/webp" ? await pngOf(await decodeWebp(bytes)) : type && bytes;
  } catch {
    return undefined;
  }
}
