import type { Context } from "hono";
import { Problem } from "./problem.ts";

const MOST_BYTES = 64 * 1024;
const MOST_WAIT_MS = 10_000;
const MOST_UNFINISHED = 256;

/** How to give up each body that is still arriving, the oldest first. */
const unfinished = new Set<() => void>();

/**
 * Reads the body of a request. One that does not arrive in time is given up, and so is the oldest one where too many arrive at once:
 * a body that is sent without a pause is never the oldest for long.
 */
export async function readBody(c: Context): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(c.req.header("content-length")) > MOST_BYTES) throw new Problem("body_too_large");
  const reader = c.req.raw.body?.getReader();
  if (!reader) return new Uint8Array();

  let giveUp = () => {};
  const late = new Promise<never>((_, reject) => giveUp = () => reject(new Problem("body_timeout")));
  const timer = setTimeout(() => giveUp(), MOST_WAIT_MS);
  unfinished.add(giveUp);
  if (unfinished.size > MOST_UNFINISHED) giveUpOldest();
  try {
    return await Promise.race([readAll(reader), late]);
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
    unfinished.delete(giveUp);
  }
}

function giveUpOldest(): void {
  const [oldest] = unfinished;
  unfinished.delete(oldest!);
  oldest!();
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > MOST_BYTES) throw new Problem("body_too_large");
    parts.push(next.value);
  }
  const bytes = new Uint8Array(length);
  parts.reduce((offset, part) => (bytes.set(part, offset), offset + part.length), 0);
  return bytes;
}
