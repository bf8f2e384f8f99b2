/** Reads an answer of somebody else's server. @throws where it is longer than `most` bytes, as soon as that is known */
export async function readBytes(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.length;
    if (length > most) {
      await reader?.cancel();
      throw new Error(`The answer has more than ${most} bytes.`);
    }
    parts.push(next.value);
  }
  const bytes = new Uint8Array(length);
  parts.reduce((offset, part) => (bytes.set(part, offset), offset + part.length), 0);
  return bytes;
}
