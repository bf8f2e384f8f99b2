import i18next, { type FormatterModule, type ResourceLanguage } from "i18next";
import { initReactI18next } from "react-i18next";

/** The languages of the sites; each names itself. */
export const languages = { zh: "简体中文", en: "English" } as const;
export type Language = keyof typeof languages;

interface I18nOptions {
  /** Where the browser keeps the chosen language. */
  storageKey: string;
  /** The texts by namespace. */
  textsOf: Record<Language, () => Promise<ResourceLanguage>>;
  /** The language of the first visit, by those that the browser prefers, such as `en`. */
  firstLanguage: (preferred: readonly string[]) => Language;
  /** Formats the values of texts. */
  formatter?: FormatterModule;
}

/** The texts of a site. Those of one language are loaded at the start, others when they are chosen. No text needs a fallback (`Translated`). */
export function createI18n({ storageKey, textsOf, firstLanguage, formatter }: I18nOptions): {
  startI18n: () => Promise<void>;
  /** Changes the language, for the next visit, too. */
  chooseLanguage: (language: Language) => Promise<void>;
} {
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
        interpolation: { escapeValue: false, alwaysFormat: formatter !== undefined },
        resources: { [language]: await textsOf[language]() },
      });
    },
    async chooseLanguage(language) {
      for (const [namespace, texts] of Object.entries(await textsOf[language]())) i18next.addResourceBundle(language, namespace, texts);
      localStorage.setItem(storageKey, language);
      await i18next.changeLanguage(language);
    },
  };
}
