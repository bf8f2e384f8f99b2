import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { en } from "./en/index.ts";
import { zh } from "./zh/index.ts";

/** The languages of the console, each under its own name. */
export const languages = { zh: "简体中文", en: "English" } as const;
export type Language = keyof typeof languages;

const remembered = "store-console-language";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: typeof en;
  }
}

function firstLanguage(): Language {
  const chosen = localStorage.getItem(remembered);
  if (chosen === "zh" || chosen === "en") return chosen;
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith("zh")) ? "zh" : "en";
}

/** Loads the texts and selects the language of the last visit, otherwise that of the browser. */
export async function startI18n(): Promise<void> {
  i18next.on("languageChanged", (language) => {
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  });
  await i18next.use(initReactI18next).init({
    resources: { en, zh },
    lng: firstLanguage(),
    fallbackLng: "en",
    defaultNS: "common",
    interpolation: { escapeValue: false },
  });
}

/** Changes the language and stores it for the next visit. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(remembered, language);
  await i18next.changeLanguage(language);
}
