/** Chinese translations of the texts of the API documents, by the English text. */
export const CHINESE_TEXTS = new Map<string, string>();

/** Registers the Chinese translation of a text of the API documents. @returns the English text */
export function bilingual<const English extends string>(english: English, chinese: string): English {
  CHINESE_TEXTS.set(english, chinese);
  return english;
}
