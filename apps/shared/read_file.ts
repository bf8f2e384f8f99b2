import type { Reply } from "../client/calls.ts";
import { unwrap } from "../client/index.ts";

/**
 * Reads a streamed file to its end.
 * @param progress is called with the number of bytes that were read so far
 * @throws if the file breaks off, so that an incomplete file is never saved
 */
export async function readFile(reply: Promise<Reply<unknown>>, progress?: (bytes: number) => void): Promise<Blob> {
  const reader = ((await unwrap(reply)) as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    bytes += part.value.length;
    progress?.(bytes);
  }
  return new Blob(parts);
}

/** Lets the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
