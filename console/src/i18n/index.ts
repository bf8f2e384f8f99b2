import i18next, { type FormatterModule } from "i18next";
import { initReactI18next } from "react-i18next";
import { load } from "../../../web/load_page.ts";
import { formatCount } from "../components/figures.tsx";
import type { en } from "./en/index.ts";

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

const textsOf = {
  zh: load(async () => (await import("./zh/index.ts")).zh),
  en: load(async () => (await import("./en/index.ts")).en),
} as const;

/** Formats the `count` of a text. It is passed as a number, because i18next chooses the plural form by it. */
const counts: FormatterModule = {
  type: "formatter",
  init: () => {},
  add: () => {},
  addCached: () => {},
  format: (value: unknown, _format, _language, { interpolationkey } = {}) =>
    interpolationkey === "count" ? formatCount(value as number) : (value as string),
};

function firstLanguage(): Language {
  const chosen = localStorage.getItem(remembered);
  if (chosen === "zh" || chosen === "en") return chosen;
  return navigator.languages.some((tag) => tag.toLowerCase().startsWith("zh")) ? "zh" : "en";
}

/** Loads the texts of one language: that of the last visit, otherwise that of the browser. No text needs a fallback (`Translated`). */
export async function startI18n(): Promise<void> {
  const language = firstLanguage();
  i18next.on("languageChanged", (changed) => {
    document.documentElement.lang = changed === "zh" ? "zh-CN" : "en";
  });
  await i18next
    .use(initReactI18next)
    .use(counts)
    .init({
      resources: { [language]: await textsOf[language]() },
      lng: language,
      fallbackLng: false,
      defaultNS: "common",
      interpolation: { escapeValue: false, alwaysFormat: true },
    });
}

/** Changes the language and stores it for the next visit. */
export async function chooseLanguage(language: Language): Promise<void> {
  for (const [namespace, texts] of Object.entries(await textsOf[language]())) i18next.addResourceBundle(language, namespace, texts);
  localStorage.setItem(remembered, language);
  await i18next.changeLanguage(language);
}
