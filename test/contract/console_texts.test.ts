import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "../../console/src/i18n/en/index.ts";
import { zh } from "../../console/src/i18n/zh/index.ts";

interface Texts { [key: string]: string | Texts }

const source = join(import.meta.dirname, "../../console/src");
const pages = readdirSync(join(source, "pages"));

/** The files of a language, without those that are no namespace. */
const filesOf = (language: string) => readdirSync(join(source, "i18n", language)).map((file) => basename(file, ".ts")).filter((name) => !["index", "findings"].includes(name));

/** The texts of a namespace by their keys, as `confirm.title`. */
function byKey(texts: Texts, prefix = ""): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, text]) => typeof text === "string" ? [[`${prefix}${key}`, text] as [string, string]] : byKey(text, `${prefix}${key}.`));
}

const placeholders = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(([placeholder]) => placeholder).sort();

const code = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith("i18n"))
  .map((path) => readFileSync(join(source, path), "utf8"))
  .join("\n");

describe("the texts of the console", () => {
  it("are in a namespace per file, which has the name of the file", () => {
    expect(Object.keys(en).sort()).toEqual(filesOf("en").sort());
    expect(Object.keys(zh).sort()).toEqual(filesOf("zh").sort());
  });

  it("have a namespace for every folder of pages", () => {
    expect(pages.filter((page) => !(page in en))).toEqual([]);
  });

  it.each(Object.entries(en))("have the same placeholders in both languages: %s", (namespace, texts) => {
    const chinese = new Map(byKey(zh[namespace as keyof typeof zh]));
    for (const [key, text] of byKey(texts)) expect(placeholders(chinese.get(key)!), key).toEqual(placeholders(text));
  });

  it.each(Object.entries(en))("are all used: %s", (namespace, texts) => {
    // A key is written out, or its beginning is, before a value: t("title"), t("orders:title"), t(`state.${state}`).
    const isUsed = (key: string) =>
      [`"${key}"`, `:${key}"`, `\`${key}\``].some((use) => code.includes(use))
      || key.split(".").slice(0, -1).some((_, at, parents) => {
        const beginning = `${parents.slice(0, at + 1).join(".")}.\${`;
        return code.includes(`\`${beginning}`) || code.includes(`\`${namespace}:${beginning}`);
      });
    expect(byKey(texts).map(([key]) => key).filter((key) => !isUsed(key))).toEqual([]);
  });
});
