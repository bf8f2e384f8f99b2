import type { Context } from "hono";
import { accepts } from "hono/accepts";

/** The languages of error texts. */
export type Language = "en" | "zh";

const LANGUAGES: readonly Language[] = ["en", "zh"];

/** The client's preferred language according to Accept-Language; English if the header names neither language. */
export function preferredLanguage(c: Context): Language {
  return accepts(c, {
    header: "Accept-Language",
    supports: [...LANGUAGES],
    default: "en",
    match: (accepted, { default: fallback }) => {
      const named = [...accepted].sort((a, b) => b.q - a.q).map(({ type }) => type.toLowerCase().split("-")[0]);
      return named.find((language) => LANGUAGES.includes(language as Language)) ?? fallback;
    },
  }) as Language;
}
