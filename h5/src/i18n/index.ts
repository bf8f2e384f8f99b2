import { createI18n } from "../../../web/i18n.ts";
import { load } from "../../../web/load_page.ts";
import type { en } from "./en/index.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: typeof en;
  }
}

const { startI18n, chooseLanguage, loadLaterTexts } = createI18n({
  storageKey: "store-h5-language",
  textsOf: {
    zh: load(async () => (await import("./zh/first.ts")).first),
    en: load(async () => (await import("./en/first.ts")).first),
  },
  laterTextsOf: {
    zh: load(async () => (await import("./zh/later.ts")).later),
    en: load(async () => (await import("./en/later.ts")).later),
  },
  // The first that we have, or Chinese.
  firstLanguage: (preferred) => (preferred.find((language) => language === "zh" || language === "en") === "en" ? "en" : "zh"),
});

export { chooseLanguage, startI18n };

/** Loads a page that uses texts which the first page has not, with these texts. @throws PageNotLoaded */
export function loadWithTexts<Page>(page: () => Promise<Page>): () => Promise<Page> {
  return load(async () => (await Promise.all([page(), loadLaterTexts()]))[0]);
}
