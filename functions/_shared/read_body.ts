import type { Context } from "hono";
import { Problem } from "./problem.ts";

const MAX_BYTES = 64 * 1024;
const MAX_WAIT_MS = 10_000;
const MAX_PENDING = 256;

type Bytes = Uint8Array<ArrayBuffer>;

/** The abort functions of the bodies that are still arriving, oldest first. */
const pending = new Set<() => void>();

/**
 * Reads the body of a request. Reading is aborted if the body does not arrive in time. If too many bodies are arriving at once, the oldest
 * is aborted: a client that sends without pauses is never the oldest for long.
 */
export async function readBody(c: Context): Promise<Bytes> {
  const declared = Number(c.req.header("content-length"));
  if (declared > MAX_BYTES) throw new Problem("body_too_large");
  const { body } = c.req.raw;
  if (!body) return new Uint8Array();

  const source = openBody(body);
  let abort = () => {};
  const late = new Promise<never>((_, reject) => (abort = () => reject(new Problem("body_timeout"))));
  const timer = setTimeout(() => abort(), MAX_WAIT_MS);
  pending.add(abort);
  if (pending.size > MAX_PENDING) abortOldest();
  try {
    return await Promise.race([readAll(source, declared || MAX_BYTES), late]);
  } catch (error) {
    source.cancel().catch(() => {});
    // Any other error says that the client has gone.
    throw error instanceof Problem ? error : new Problem("body_timeout", { cause: error });
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

/** A body that is read into memory of ours. */
interface Source {
  /** Reads the next piece into `space`, which is used up, or into the memory that replaces it. `done` if nothing follows. */
  read(space: Bytes): Promise<{ done: boolean; value: Bytes | undefined }>;
  cancel(): Promise<void>;
}

/**
 * Without memory of ours, the runtime allocates 64 KiB for every piece that arrives, even for one byte, and 500 bodies that arrive byte by
 * byte took 400 MB. Only a stream of bytes takes memory of ours; Deno has a stream of another kind for a body that has arrived completely.
 */
function openBody(body: ReadableStream<Bytes>): Source {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    const reader = body.getReader();
    return { read: async (space) => copy(await reader.read(), space), cancel: () => reader.cancel() };
  }
}

function copy({ done, value = new Uint8Array() }: ReadableStreamReadResult<Bytes>, space: Bytes): { done: boolean; value: Bytes } {
  if (value.length > space.length) throw new Problem("body_too_large");
  space.set(value);
  return { done, value: space.subarray(0, value.length) };
}

/** @param most how long the body may be */
async function readAll(source: Source, most: number): Promise<Bytes> {
  // The additional byte shows that a body is longer.
  let bytes = new Uint8Array(most + 1);
  let length = 0;
  for (;;) {
    const { done, value } = await source.read(bytes.subarray(length));
    if (!value) throw new Problem("body_timeout");
    bytes = new Uint8Array(value.buffer);
    length += value.length;
    if (length > most) throw new Problem("body_too_large");
    if (done) return bytes.subarray(0, length);
  }
}
