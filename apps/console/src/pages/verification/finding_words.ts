import i18next from "i18next";
import { translator } from "../../../../../functions/_shared/words/translator.ts";
import { findings } from "../../i18n/zh/findings.ts";

const inChinese = translator(findings);

/** Translates the findings about the configuration. */
export function findingWords(words: string | null): string {
  return i18next.language === "zh" ? inChinese(words ?? "") : (words ?? "");
}
