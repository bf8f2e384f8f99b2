import { createI18n } from "../../../shared/i18n.ts";
import { load } from "../../../shared/load_page.ts";
import type { en } from "../../../shared/member_texts/en/index.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: typeof en;
  }
}

export const { startI18n, chooseLanguage } = createI18n({
  storageKey: "store-h5-language",
  textsOf: {
    zh: load(async () => (await import("../../../shared/member_texts/zh/first.ts")).first),
    en: load(async () => (await import("../../../shared/member_texts/en/first.ts")).first),
  },
  // The first that we have, or Chinese.
  firstLanguage: (preferred) =>
    preferred.find((language) => language === "zh" || language === "en") === "en" ? "en" : "zh",
});
