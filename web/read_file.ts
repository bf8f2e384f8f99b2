import { answerOf } from "../client/index.ts";

/** Reads a streamed file to its end. @throws if the file breaks off, so that an incomplete file is never saved */
export async function readFile(reply: Promise<{ data?: unknown; error?: unknown }>): Promise<Blob> {
  const reader = (await answerOf(reply as Promise<{ data?: ReadableStream<Uint8Array<ArrayBuffer>>; error?: unknown }>)).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}

/** Lets the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
