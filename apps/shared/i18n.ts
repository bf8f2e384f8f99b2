import i18next, { type FormatterModule, type ResourceLanguage } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Language } from "./languages.ts";

type TextsOf = Record<Language, () => Promise<ResourceLanguage>>;

interface I18nOptions {
  /** Where the browser keeps the chosen language. */
  storageKey: string;
  /** The texts by namespace, or those that the first page needs. */
  textsOf: TextsOf;
  /** The texts of other pages. */
  laterTextsOf?: TextsOf;
  /** The language of the first visit, by those that the browser prefers, such as `en`. */
  firstLanguage: (preferred: readonly string[]) => Language;
  /** Formats the values of texts. */
  formatter?: FormatterModule;
}

/**
 * The texts of a site. Those of one language are loaded at the start, others when they are chosen. No text needs a
 * fallback (`Translated`).
 */
export function createI18n({ storageKey, textsOf, laterTextsOf, firstLanguage, formatter }: I18nOptions): {
  startI18n: () => Promise<void>;
  /** Changes the language, for the next visit, too. */
  chooseLanguage: (language: Language) => Promise<void>;
  /** Loads the texts of other pages, once. */
  loadLaterTexts: () => Promise<void>;
} {
  let needsLater = false;
  let start!: () => void;
  // A page may be opened before the language is known.
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  /** A language that has its texts keeps them. */
  async function add(language: Language, texts: TextsOf): Promise<void> {
    for (const [namespace, text] of Object.entries(await texts[language]()))
      i18next.addResourceBundle(language, namespace, text);
  }
  return {
    async startI18n() {
      const chosen = localStorage.getItem(storageKey);
      const preferred = navigator.languages.map((tag) => tag.toLowerCase().split("-")[0]!);
      const language = chosen === "zh" || chosen === "en" ? chosen : firstLanguage(preferred);
      i18next.on("languageChanged", (changed) => {
        document.documentElement.lang = changed === "zh" ? "zh-CN" : "en";
      });
      if (formatter) i18next.use(formatter);
      await i18next.use(initReactI18next).init({
        lng: language,
        fallbackLng: false,
        defaultNS: "common",
        // A page whose texts were not loaded would show their names.
        saveMissing: true,
        missingKeyHandler: (_languages, namespace, key) => console.error(`There is no text ${namespace}:${key}.`),
        interpolation: { escapeValue: false, alwaysFormat: formatter !== undefined },
        resources: { [language]: await textsOf[language]() },
      });
      start();
    },
    async chooseLanguage(language) {
      await add(language, textsOf);
      if (needsLater && laterTextsOf) await add(language, laterTextsOf);
      localStorage.setItem(storageKey, language);
      await i18next.changeLanguage(language);
    },
    async loadLaterTexts() {
      await started;
      if (needsLater || !laterTextsOf) return;
      await add(i18next.language as Language, laterTextsOf);
      needsLater = true;
    },
  };
}
