import i18next from "i18next";
import { translator } from "../../../../functions/_shared/translator.ts";
import { findings } from "../../i18n/zh/findings.ts";

const inChinese = translator(findings);

/** What the store says about the configuration, in the language of the console. */
export function findingWords(words: string | null): string {
  return i18next.language === "zh" ? inChinese(words ?? "") : words ?? "";
}
