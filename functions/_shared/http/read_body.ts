import type { Context } from "hono";
import { Problem } from "../responses/problem.ts";
import { senderOf } from "../access/sender.ts";

/** How large a body may be, how long it may take to arrive, and how many may be arriving at once. */
export interface BodyLimits {
  bytes: number;
  waitMs: number;
  pending: number;
}

const JSON_LIMITS: BodyLimits = { bytes: 64 * 1024, waitMs: 10_000, pending: 256 };

type Bytes = Uint8Array<ArrayBuffer>;

/** A body that is still arriving. */
interface Arriving {
  sender: string | undefined;
  abort: () => void;
}

/** The bodies that are still arriving, oldest first. */
const pending = new Set<Arriving>();

/**
 * Reads the body of a request. Reading is aborted if the body does not arrive in time. If too many bodies are arriving
 * at once, the oldest of the sender who has most is aborted: whoever sends many slowly ends their own. An aborted body
 * is not cancelled, because Deno keeps 3 kB of each cancelled one forever; it closes the body itself when it has sent
 * the response.
 */
export async function readBody(c: Context, limits = JSON_LIMITS): Promise<Bytes> {
  const declared = Number(c.req.header("content-length"));
  if (declared > limits.bytes) throw new Problem("body_too_large");
  const { body } = c.req.raw;
  if (!body) return new Uint8Array();

  let abort = () => {};
  const late = new Promise<never>((_, reject) => (abort = () => reject(new Problem("body_timeout"))));
  const timer = setTimeout(() => abort(), limits.waitMs);
  const arriving = { sender: senderOf(c), abort };
  pending.add(arriving);
  if (pending.size > limits.pending) abortOldestOfMost();
  try {
    return await Promise.race([readAll(openBody(body), declared || limits.bytes, () => pending.has(arriving)), late]);
  } catch (error) {
    // Any other error says that the client has gone.
    throw error instanceof Problem ? error : new Problem("body_timeout", { cause: error });
  } finally {
    clearTimeout(timer);
    pending.delete(arriving);
  }
}

function abortOldestOfMost(): void {
  const counts = new Map<string | undefined, number>();
  for (const { sender } of pending) counts.set(sender, (counts.get(sender) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const oldest = [...pending].find(({ sender }) => counts.get(sender) === most)!;
  pending.delete(oldest);
  oldest.abort();
}

/**
 * Reads the next piece of a body into `space`, which is used up, or into the memory that replaces it. `done` if nothing
 * follows.
 */
type Read = (space: Bytes) => Promise<{ done: boolean; value: Bytes | undefined }>;

/**
 * Without memory of ours, the runtime allocates 64 KiB for every piece that arrives, even for one byte, and 500 bodies
 * that arrive byte by byte took 400 MB. Only a stream of bytes takes memory of ours; Deno has a stream of another kind
 * for a body that has arrived completely.
 */
function openBody(body: ReadableStream<Bytes>): Read {
  try {
    const reader = body.getReader({ mode: "byob" });
    return (space) => reader.read(space);
  } catch {
    const reader = body.getReader();
    return async (space) => copy(await reader.read(), space);
  }
}

function copy(
  { done, value = new Uint8Array() }: ReadableStreamReadResult<Bytes>,
  space: Bytes,
): { done: boolean; value: Bytes } {
  if (value.length > space.length) throw new Problem("body_too_large");
  space.set(value);
  return { done, value: space.subarray(0, value.length) };
}

/**
 * @param most how long the body may be
 * @param isWanted whether somebody still waits for the body
 */
async function readAll(read: Read, most: number, isWanted: () => boolean): Promise<Bytes> {
  // The additional byte shows that a body is longer.
  let bytes = new Uint8Array(most + 1);
  let length = 0;
  do {
    const { done, value } = await read(bytes.subarray(length));
    if (!value) break;
    bytes = new Uint8Array(value.buffer);
    length += value.length;
    if (length > most) throw new Problem("body_too_large");
    if (done) return bytes.subarray(0, length);
  } while (isWanted());
  throw new Problem("body_timeout");
}
