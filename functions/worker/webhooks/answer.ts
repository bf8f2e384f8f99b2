/** What a receiver answers. */
export interface Answer {
  status: number;
  /** The beginning of the body, without control characters, as the database keeps it. */
  text: string;
  /** After how many seconds the receiver wants to be asked again (RFC 9110, Retry-After). */
  retryAfter: number | undefined;
}

/** Of an answer, this much is kept. */
const KEPT_BYTES = 2000;

/** An answer of HTTP/1.1, or its beginning. */
interface Parts {
  status: number;
  head: string;
  body: Uint8Array;
}

/** Divides an answer into its parts. @returns undefined as long as its head is not complete */
function partsOf(bytes: Uint8Array): Parts | undefined {
  const text = new TextDecoder("latin1").decode(bytes);
  const end = text.indexOf("\r\n\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1]);
  if (end < 0 || Number.isNaN(status)) return undefined;
  // What precedes the answer itself, such as 103 Early Hints.
  if (status < 200) return partsOf(bytes.subarray(end + 4));
  return { status, head: text.slice(0, end).toLowerCase(), body: bytes.subarray(end + 4) };
}

const ascii = new TextDecoder("latin1");

const isChunked = ({ head }: Parts) => /\r\ntransfer-encoding:[^\r]*chunked/.test(head);

/** Chunks and their trailers end with an empty line, so only then are they walked through. */
const endsWithBlank = (body: Uint8Array) => ascii.decode(body.subarray(-4)) === "\r\n\r\n";

/** Whether an answer has ended, as far as it says so itself. One that does not ends with the connection. */
export function isComplete(bytes: Uint8Array): boolean {
  const parts = partsOf(bytes);
  if (!parts) return false;
  if (parts.status === 204 || parts.status === 304) return true;
  if (isChunked(parts)) return endsWithBlank(parts.body) && [...chunksOf(parts.body)].at(-1)!.length === 0;
  const length = /\r\ncontent-length:[ \t]*(\d+)/.exec(parts.head)?.[1];
  return length !== undefined && parts.body.length >= Number(length);
}

/** Reads an answer, which may be cut. @returns undefined if it is none */
export function readAnswer(bytes: Uint8Array): Answer | undefined {
  const parts = partsOf(bytes);
  if (!parts) return undefined;
  const body = isChunked(parts) ? joinChunks(parts.body) : parts.body;
  const text = new TextDecoder().decode(body.subarray(0, KEPT_BYTES));
  return {
    status: parts.status,
    text: text.replaceAll(/(?![\t\n\r])\p{Cc}/gu, "\u{fffd}"),
    retryAfter: readRetryAfter(parts.head),
  };
}

/** The contents of chunks, as far as they were received. The last one is empty. */
function* chunksOf(body: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < body.length;) {
    const line = /^([0-9a-f]+)[^\r]*\r\n/i.exec(ascii.decode(body.subarray(at, at + 256)));
    if (!line) return;
    const size = Number.parseInt(line[1]!, 16);
    const start = at + line[0].length;
    yield body.subarray(start, start + size);
    if (size === 0) return;
    at = start + size + 2;
  }
}

/** The content of chunks, as far as it is kept. */
function joinChunks(body: Uint8Array): Uint8Array {
  const content = new Uint8Array(KEPT_BYTES);
  let filled = 0;
  for (const chunk of chunksOf(body)) {
    content.set(chunk.subarray(0, KEPT_BYTES - filled), filled);
    filled += Math.min(chunk.length, KEPT_BYTES - filled);
    if (filled === KEPT_BYTES) break;
  }
  return content.subarray(0, filled);
}

/** Longer than the database waits. */
const DAY_SECONDS = 86_400;

/** When the receiver wants to be asked again: after seconds, or at a time of HTTP. */
function readRetryAfter(head: string): number | undefined {
  const value = /\r\nretry-after:[ \t]*([^\r]*?)[ \t]*(?:\r|$)/.exec(head)?.[1] ?? "";
  const seconds = /^\d+$/.test(value)
    ? Number(value)
    : / gmt$/.test(value)
      ? Math.ceil((Date.parse(value) - Date.now()) / 1000)
      : NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), DAY_SECONDS);
}
