import type { Context } from "hono";
import { accepts } from "hono/accepts";

/** What refusals are said in. */
export type Language = "en" | "zh";

const LANGUAGES: readonly Language[] = ["en", "zh"];

/** The language that the client would rather have, by Accept-Language; English where it names neither. */
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
