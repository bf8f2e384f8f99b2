/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  // In chunks, because the number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** Decodes base64. @throws if the text is not base64 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
