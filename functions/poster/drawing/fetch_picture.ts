import { pictureType } from "../../_shared/picture.ts";
import { readBytes } from "../../_shared/read_bytes.ts";

const DEADLINE_MS = 2000;
const MAX_BYTES = 200 * 1024;

/**
 * Fetches a picture. The database gives only addresses of allowed origins (app.shown_avatar), and a redirection is not followed: members choose the
 * address, and the request is sent from a network that they cannot reach.
 * @returns undefined for a picture that cannot be fetched
 */
export async function fetchPicture(address: string): Promise<Uint8Array | undefined> {
  try {
    const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(DEADLINE_MS) });
    const bytes = await readBytes(response, MAX_BYTES);
    return response.ok && pictureType(bytes) ? bytes : undefined;
  } catch {
    return undefined;
  }
}
