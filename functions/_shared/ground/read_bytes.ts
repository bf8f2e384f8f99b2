/** Reads the body of an external response. @throws Error as soon as it exceeds `limit` bytes */
export async function readBytes(response: Response, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.length;
    if (length > limit) {
      await reader?.cancel();
      throw new Error(`The response has more than ${limit} bytes.`);
    }
    parts.push(next.value);
  }
  const bytes = new Uint8Array(length);
  parts.reduce((offset, part) => (bytes.set(part, offset), offset + part.length), 0);
  return bytes;
}
