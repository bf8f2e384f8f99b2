/** The texts of the documents of the API in Chinese, by the English ones. */
export const CHINESE_TEXTS = new Map<string, string>();

/** A text of the documents of the API. @returns the English one, whose Chinese the documents in Chinese have */
export function bilingual<const English extends string>(english: English, chinese: string): English {
  CHINESE_TEXTS.set(english, chinese);
  return english;
}
