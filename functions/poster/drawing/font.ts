import { readAsset } from "../../_shared/ground/assets.ts";

/** A font and the characters that it can draw. */
export interface Font {
  bytes: Uint8Array;
  has(character: string): boolean;
}

/** Loads the only font: 7,333 Chinese characters, Latin letters and punctuation. */
export async function loadFont(): Promise<Font> {
  const [bytes, glyphs] = await Promise.all([
    readAsset(new URL("../assets/noto-sans-sc.woff2", import.meta.url)),
    readAsset(new URL("../assets/noto-sans-sc.glyphs", import.meta.url)),
  ]);
  return {
    bytes,
    // One bit per character of the Basic Multilingual Plane.
    has: (character) => {
      const code = character.codePointAt(0)!;
      return code < 0x10000 && ((glyphs[code >> 3]! >> (code & 7)) & 1) === 1;
    },
  };
}
