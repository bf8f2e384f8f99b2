import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHINESE_TEXTS } from "../../functions/_shared/words/bilingual.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { COMMON_TEXTS, EVENT_TEXTS } from "../../scripts/stack/documentation/common_texts.ts";
import { inChinese, type TranslatedDocument } from "../../scripts/stack/documentation/in_chinese.ts";
import { stack } from "../support/index.ts";

const documents = ["api", "adminapi"].map(
  (name) =>
    JSON.parse(readFileSync(join(projectRoot, "functions", name, "openapi.json"), "utf8")) as TranslatedDocument,
);

/**
 * Whether the value of a key of a document is a text for people. A field of the store can have the same name: its value
 * is a schema.
 */
const isText = (key: string, value: unknown): value is string =>
  ["title", "summary", "description"].includes(key) && typeof value === "string";

/** The names of subjects, titles, summaries and paragraphs of descriptions of a document. */
function textsOf(document: TranslatedDocument): string[] {
  const texts: string[] = [];
  JSON.stringify(document, (key, value: unknown) => {
    if (isText(key, value)) texts.push(...value.split("\n\n"));
    if (key === "tags")
      texts.push(...(value as (string | { name: string })[]).map((tag) => (typeof tag === "string" ? tag : tag.name)));
    return key === "example" ? undefined : value;
  });
  return texts;
}

/** Each text of the documents with its translation. */
const translations = new Map(
  documents.flatMap((document) => {
    const translated = textsOf(inChinese(document));
    return textsOf(document).map((text, index) => [text, translated[index]!] as const);
  }),
);

describe("the documents in Chinese", () => {
  it("have a translation of every subject, title, summary and description, except lists of error codes", () => {
    expect(translations.size).toBeGreaterThan(1000);
    const english = [...translations.values()].filter((text) => !/[\u4e00-\u9fff]/.test(text));
    expect(english.filter((text) => !/^[a-z0-9_]+(, [a-z0-9_]+)*$/.test(text))).toEqual([]);
  });

  it("have each translation once, and none that nothing uses", () => {
    const used = new Set(
      [...translations.keys()].map((text) => text.replace(/^(Machine keys need the scope `).*`\.$/, "$1%s`.")),
    );
    expect(
      Object.keys({ ...COMMON_TEXTS, ...EVENT_TEXTS }).filter((text) => !used.has(text) || CHINESE_TEXTS.has(text)),
    ).toEqual([]);
  });

  it("name fields, values and addresses as the English ones", () => {
    const namesOf = (text: string) => text.match(/`[^`]+`|\b\w+_\w+\b/g) ?? [];
    const changed = [...translations].filter(([text, translation]) =>
      namesOf(text).some((name) => !translation.includes(name)),
    );
    expect(changed).toEqual([]);
  });

  it("change nothing that programs read", () => {
    const rest = (document: TranslatedDocument) =>
      JSON.stringify(document, (key, value: unknown) => {
        if (key === "example") return JSON.stringify(value);
        return key === "tags" || isText(key, value) ? undefined : value;
      });
    for (const document of documents) expect(rest(inChinese(document))).toBe(rest(document));
  });

  it("are on a page of their own, which the English one leads to and back", async () => {
    const { docs_url } = stack();
    const page = async (path: string) => (await fetch(`${docs_url}${path}`)).text();
    const [english, chinese] = [await page(""), await page("/zh")];
    expect([english, chinese]).toEqual([
      expect.stringContaining(">中文</a>"),
      expect.stringContaining('<html lang="zh-CN">'),
    ]);
    expect(chinese).toContain(">English</a>");
    const settings = await page("/settings_zh.js");
    const addresses = [...settings.matchAll(/url: "([^"]+)"/g)].map(([, address]) => new URL(address!, docs_url));
    expect(addresses).toHaveLength(2);
    for (const [index, address] of addresses.entries())
      expect(await (await fetch(address)).json()).toEqual(inChinese(documents[index]!));
  });
});
