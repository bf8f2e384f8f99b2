/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  // In pieces: an argument list has a limit.
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** The bytes of a base64 text. @throws where it is none */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
