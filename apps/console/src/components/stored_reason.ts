import i18next from "i18next";
import { translator } from "../../../../functions/_shared/words/translator.ts";
import { forgottenText, storeReasons } from "../i18n/zh/store_reasons.ts";

const inChinese = translator(storeReasons);

/**
 * A text that a person has written, or in the present language what stands in its place since the member was deleted.
 */
export function storedText(text: string): string {
  return i18next.language === "zh" && text === forgottenText ? inChinese(text) : text;
}

/**
 * The reason of a row: what the store itself has written is translated, what a person has written is not.
 * @param writer null for the store
 */
export function storedReason(reason: string, writer: object | null): string {
  return i18next.language === "zh" && writer === null ? inChinese(reason) : storedText(reason);
}
