import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { CHINESE_DESCRIPTIONS } from "../../scripts/stack/documentation/chinese_descriptions.ts";
import { CHINESE_SUBJECTS } from "../../scripts/stack/documentation/chinese_subjects.ts";
import { CHINESE_SUMMARIES } from "../../scripts/stack/documentation/chinese_summaries.ts";
import { inChinese, type TranslatedDocument } from "../../scripts/stack/documentation/in_chinese.ts";
import { stack } from "../support/index.ts";

const documents = ["api", "adminapi"].map(
  (name) => JSON.parse(readFileSync(join(projectRoot, "functions", name, "openapi.json"), "utf8")) as TranslatedDocument,
);

/** The texts of documents that a page shows, each paragraph on its own. */
function textsOf(all: TranslatedDocument[]): string[] {
  const texts = all.flatMap(({ info, tags, paths }) => [
    info.title,
    info.description,
    ...tags.flatMap(({ name, description }) => [name, description]),
    ...Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ summary, description, tags: names }) => [summary, ...names, ...(description ?? "").split("\n\n")]),
  ]);
  return [...new Set(texts.filter((text) => text !== ""))];
}

describe("the documents in Chinese", () => {
  it("have a translation of every title, subject, summary and description", () => {
    const texts = textsOf(documents.map(inChinese));
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.filter((text) => !/[\u4e00-\u9fff]/.test(text))).toEqual([]);
  });

  it("have no translation that nothing uses", () => {
    const texts = new Set(
      textsOf(documents).map((text) => text.replace(/^Machine keys need the scope `.*`\.$/, "Machine keys need the scope `%s`.")),
    );
    const all = Object.keys({ ...CHINESE_SUBJECTS, ...CHINESE_SUMMARIES, ...CHINESE_DESCRIPTIONS });
    expect(all.filter((text) => !texts.has(text))).toEqual([]);
  });

  it("change nothing that programs read", () => {
    const rest = (document: TranslatedDocument) =>
      JSON.stringify(document, (key, value: unknown) => (["title", "description", "summary", "tags"].includes(key) ? undefined : value));
    for (const document of documents) expect(rest(inChinese(document))).toBe(rest(document));
  });

  it("are on a page of their own, which the English one leads to and back", async () => {
    const { docs_url } = stack();
    const page = async (path: string) => (await fetch(`${docs_url}${path}`)).text();
    const [english, chinese] = [await page(""), await page("/zh")];
    expect([english, chinese]).toEqual([expect.stringContaining(">中文</a>"), expect.stringContaining('<html lang="zh-CN">')]);
    expect(chinese).toContain(">English</a>");
    const settings = await page("/settings_zh.js");
    const addresses = [...settings.matchAll(/url: "([^"]+)"/g)].map(([, address]) => new URL(address!, docs_url));
    expect(addresses).toHaveLength(2);
    for (const [index, address] of addresses.entries()) expect(await (await fetch(address)).json()).toEqual(inChinese(documents[index]!));
  });
});
