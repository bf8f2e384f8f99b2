import i18next from "i18next";
import { later as en } from "../../../shared/member_texts/en/later.ts";
import { later as zh } from "../../../shared/member_texts/zh/later.ts";

// Imported by the pages that need them, with which both languages arrive, so that the first load has neither these
// texts nor a way to load them.

function addTexts(): void {
  for (const [language, texts] of Object.entries({ en, zh }))
    for (const [namespace, text] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, text);
}

// A page may be opened before the language is known.
if (i18next.isInitialized) addTexts();
else i18next.on("initialized", addTexts);
