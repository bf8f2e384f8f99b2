import type { FormatterModule } from "i18next";
import { createI18n } from "../../../shared/i18n.ts";
import { load } from "../../../shared/load_page.ts";
import { formatCount } from "../components/figures.tsx";
import type { en } from "./en/index.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: typeof en;
  }
}

/** Formats the `count` of a text. It is passed as a number, because i18next chooses the plural form by it. */
const counts: FormatterModule = {
  type: "formatter",
  init: () => {},
  add: () => {},
  addCached: () => {},
  format: (value: unknown, _format, _language, { interpolationkey } = {}) =>
    interpolationkey === "count" ? formatCount(value as number) : (value as string),
};

const { startI18n, chooseLanguage, loadLaterTexts } = createI18n({
  storageKey: "store-console-language",
  textsOf: {
    zh: load(async () => (await import("./zh/first.ts")).first),
    en: load(async () => (await import("./en/first.ts")).first),
  },
  laterTextsOf: {
    zh: load(async () => (await import("./zh/later.ts")).later),
    en: load(async () => (await import("./en/later.ts")).later),
  },
  firstLanguage: (preferred) => (preferred.includes("zh") ? "zh" : "en"),
  formatter: counts,
});

export { chooseLanguage, startI18n };

/** Loads a part of the console that uses texts which the first page has not, with these texts. @throws PageNotLoaded */
export function loadWithTexts<Part>(part: () => Promise<Part>): () => Promise<Part> {
  return load(async () => (await Promise.all([part(), loadLaterTexts()]))[0]);
}
