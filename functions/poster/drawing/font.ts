import { readAsset } from "./assets.ts";

/** A font, and what it can draw. */
export interface Font {
  bytes: Uint8Array;
  has(character: string): boolean;
}

/** The one font there is: 7,333 Chinese characters, Latin, punctuation. */
export async function loadFont(): Promise<Font> {
  const [bytes, glyphs] = await Promise.all([readAsset("noto-sans-sc.woff2"), readAsset("noto-sans-sc.glyphs")]);
  return {
    bytes,
    // A bit for each character of the basic plane.
    has: (character) => {
      const code = character.codePointAt(0)!;
      return code < 0x10000 && ((glyphs[code >> 3]! >> (code & 7)) & 1) === 1;
    },
  };
}
