import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { load } from "../../../web/load_page.ts";
import type { en } from "./en/index.ts";

/** The languages of the app; each names itself. */
export const languages = { zh: "简体中文", en: "English" } as const;
export type Language = keyof typeof languages;

const remembered = "store-h5-language";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: typeof en;
  }
}

const textsOf = {
  zh: load(async () => (await import("./zh/index.ts")).zh),
  en: load(async () => (await import("./en/index.ts")).en),
} as const;

/** The language of the last visit, or else the first of the browser's that we have, or Chinese. */
function firstLanguage(): Language {
  const chosen = localStorage.getItem(remembered);
  if (chosen === "zh" || chosen === "en") return chosen;
  const known = navigator.languages
    .map((tag) => tag.toLowerCase().split("-")[0])
    .find((language) => language === "zh" || language === "en");
  return known === "en" ? "en" : "zh";
}

async function addTexts(language: Language): Promise<void> {
  for (const [namespace, texts] of Object.entries(await textsOf[language]())) i18next.addResourceBundle(language, namespace, texts);
}

/** Starts with the texts of one language. The others are loaded when they are chosen. */
export async function startI18n(): Promise<void> {
  const language = firstLanguage();
  i18next.on("languageChanged", (changed) => {
    document.documentElement.lang = changed === "zh" ? "zh-CN" : "en";
  });
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    defaultNS: "common",
    interpolation: { escapeValue: false },
    resources: {},
    react: { useSuspense: false },
  });
  await addTexts(language);
}

/** Changes the language, for the next visit too. */
export async function chooseLanguage(language: Language): Promise<void> {
  await addTexts(language);
  localStorage.setItem(remembered, language);
  await i18next.changeLanguage(language);
}
