import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { en as consoleEnglish } from "../../apps/console/src/i18n/en/index.ts";
import { zh as consoleChinese } from "../../apps/console/src/i18n/zh/index.ts";
import { en as memberEnglish } from "../../apps/shared/member_texts/en/index.ts";
import { zh as memberChinese } from "../../apps/shared/member_texts/zh/index.ts";

interface Texts {
  [key: string]: string | Texts;
}

const root = join(import.meta.dirname, "../..");

/** The texts of a namespace by their keys, as `confirm.title`. */
function byKey(texts: Texts, prefix = ""): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "string" ? [[`${prefix}${key}`, text] as [string, string]] : byKey(text, `${prefix}${key}.`),
  );
}

const placeholders = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(([placeholder]) => placeholder).sort();

function codeOf(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/^(?:i18n|member_texts)\//.test(path))
    .map((path) => readFileSync(join(root, folder, path), "utf8"))
    .join("\n");
}

describe.each<[site: string, texts: string, english: Record<string, Texts>, chinese: Record<string, Texts>]>([
  ["apps/console", "apps/console/src/i18n", consoleEnglish, consoleChinese],
  ["apps/h5", "apps/shared/member_texts", memberEnglish, memberChinese],
])("the texts of %s", (site, texts, english, chinese) => {
  const pages = readdirSync(join(root, site, "src/pages"));
  const code = codeOf(`${site}/src`) + codeOf("apps/shared");

  /** The files of a language, without those that are no namespace. */
  const filesOf = (language: string) =>
    readdirSync(join(root, texts, language))
      .map((file) => basename(file, ".ts"))
      .filter((name) => !["index", "first", "later", "findings", "store_reasons"].includes(name));

  it("are in a namespace per file, which has the name of the file", () => {
    expect(Object.keys(english).sort()).toEqual(filesOf("en").sort());
    expect(Object.keys(chinese).sort()).toEqual(filesOf("zh").sort());
  });

  it("have a namespace for every folder of pages", () => {
    expect(pages.filter((page) => !(page in english))).toEqual([]);
  });

  it.each(Object.entries(english))("have the same placeholders in both languages: %s", (namespace, texts) => {
    const translations = new Map(byKey(chinese[namespace]!));
    for (const [key, text] of byKey(texts)) {
      // Chinese has no singular.
      const translation = translations.get(key) ?? translations.get(key.replace(/_one$/, "_other"))!;
      expect(placeholders(translation), key).toEqual(placeholders(text));
    }
  });

  it.each(Object.entries(english))("are all used: %s", (namespace, texts) => {
    // A key is written out, or its beginning is, before a value: t("title"), t("orders:title"), t(`state.${state}`).
    const isUsed = (key: string) =>
      [`"${key}"`, `:${key}"`, `\`${key}\``].some((use) => code.includes(use)) ||
      key
        .split(".")
        .slice(0, -1)
        .some((_, at, parents) => {
          const beginning = `${parents.slice(0, at + 1).join(".")}.\${`;
          return code.includes(`\`${beginning}`) || code.includes(`\`${namespace}:${beginning}`);
        });
    // The number decides between the forms of a text.
    const keys = byKey(texts).map(([key]) => key.replace(/_(one|other)$/, ""));
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
  });
});
