import type { Context } from "hono";
import { Problem } from "./problem.ts";

const MAX_BYTES = 64 * 1024;
const MAX_WAIT_MS = 10_000;
const MAX_PENDING = 256;

/** The abort functions of the bodies that are still arriving, oldest first. */
const pending = new Set<() => void>();

/**
 * Reads the body of a request. Reading is aborted if the body does not arrive in time. If too many bodies are arriving at once, the oldest
 * is aborted: a client that sends without pauses is never the oldest for long.
 */
export async function readBody(c: Context): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(c.req.header("content-length")) > MAX_BYTES) throw new Problem("body_too_large");
  const reader = c.req.raw.body?.getReader();
  if (!reader) return new Uint8Array();

  let abort = () => {};
  const late = new Promise<never>((_, reject) => abort = () => reject(new Problem("body_timeout")));
  const timer = setTimeout(() => abort(), MAX_WAIT_MS);
  pending.add(abort);
  if (pending.size > MAX_PENDING) abortOldest();
  try {
    return await Promise.race([readAll(reader), late]);
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
    pending.delete(abort);
  }
}

function abortOldest(): void {
  const [oldest] = pending;
  pending.delete(oldest!);
  oldest!();
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > MAX_BYTES) throw new Problem("body_too_large");
    parts.push(next.value);
  }
  const bytes = new Uint8Array(length);
  parts.reduce((offset, part) => (bytes.set(part, offset), offset + part.length), 0);
  return bytes;
}
