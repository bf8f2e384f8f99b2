/** What a receiver answers. */
export interface Answer {
  status: number;
  /** The beginning of the body, without control characters, as the database keeps it. */
  text: string;
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

const isChunked = ({ head }: Parts) => /\r\ntransfer-encoding:[^\r]*chunked/.test(head);

/** Whether an answer has ended, as far as it says so itself. One that does not ends with the connection. */
export function isComplete(bytes: Uint8Array): boolean {
  const parts = partsOf(bytes);
  if (!parts) return false;
  if (parts.status === 204 || parts.status === 304) return true;
  if (isChunked(parts)) return new TextDecoder("latin1").decode(parts.body.subarray(-7)).endsWith("0\r\n\r\n");
  const length = /\r\ncontent-length: *(\d+)/.exec(parts.head)?.[1];
  return length !== undefined && parts.body.length >= Number(length);
}

/** Reads an answer, which may be cut. @returns undefined if it is none */
export function readAnswer(bytes: Uint8Array): Answer | undefined {
  const parts = partsOf(bytes);
  if (!parts) return undefined;
  const body = isChunked(parts) ? joinChunks(parts.body) : parts.body;
  const text = new TextDecoder().decode(body.subarray(0, KEPT_BYTES));
  return { status: parts.status, text: text.replaceAll(/(?![\t\n\r])\p{Cc}/gu, "\u{fffd}") };
}

/** The content of chunks, as far as it was received and as it is kept. */
function joinChunks(body: Uint8Array): Uint8Array {
  const content = new Uint8Array(KEPT_BYTES);
  let filled = 0;
  for (let at = 0; at < body.length && filled < KEPT_BYTES;) {
    const line = /^([0-9a-f]+)[^\r]*\r\n/i.exec(new TextDecoder("latin1").decode(body.subarray(at, at + 256)));
    const size = Number.parseInt(line?.[1] ?? "0", 16);
    if (!line || size === 0) break;
    const start = at + line[0].length;
    const chunk = body.subarray(start, Math.min(start + size, start + KEPT_BYTES - filled));
    content.set(chunk, filled);
    filled += chunk.length;
    at = start + size + 2;
  }
  return content.subarray(0, filled);
}
