import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en as appEnglish } from "../../apps/shared/member_texts/en/index.ts";
import { zh as appChinese } from "../../apps/shared/member_texts/zh/index.ts";
import { en } from "../../apps/mini/src/texts/en.ts";
import { zh } from "../../apps/mini/src/texts/zh.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { type BuiltProgram, buildMiniProgram } from "../support/mini_program/build.ts";
import { expressionsIn, parseWxml, type Source } from "../support/mini_program/wxml.ts";

interface Texts {
  [key: string]: string | Texts;
}

const source = join(projectRoot, "apps/mini/src");
const read = (path: string) => readFileSync(join(source, path), "utf8");
const app = JSON.parse(read("app.json")) as {
  pages: string[];
  tabBar: { list: Record<"pagePath" | "text" | "iconPath" | "selectedIconPath", string>[] };
};
const files = readdirSync(source, { recursive: true, encoding: "utf8" });
const codeOf = (page: string) => read(`${page}.ts`);
const english: Texts = { ...appEnglish, mini: en };
const chinese: Texts = { ...appChinese, mini: zh };
/** The functions that `apps/mini/src/page.ts` gives to pages. */
const given = ["retry", "signIn", "go", "onReachBottom"];
/** Where the functions stand that several pages take. */
const taken = { consent: "store/consents.ts", file: "store/files.ts" };

/** The elements of a wxml file, with those that it includes. */
function elementsOf(file: string): Source[] {
  const walk = (each: Source, from: string): Source[] =>
    each.name === "include"
      ? elementsOf(join(from, "..", each.attribs!.src!))
      : [each, ...(each.children ?? []).flatMap((child) => walk(child, from))];
  return parseWxml(file).flatMap((each) => walk(each, file));
}

/** All expressions of a page. */
const expressionsOf = (page: string): string[] =>
  elementsOf(join(source, `${page}.wxml`)).flatMap(({ data, attribs = {} }) =>
    [data ?? "", ...Object.values(attribs)].flatMap(expressionsIn),
  );

const textAt = (texts: Texts, key: string) =>
  key.split(".").reduce<Texts | string | undefined>((at, name) => (at as Texts)?.[name], texts);

describe.each(app.pages)("%s", (page) => {
  it("has the files that WeChat expects", () => {
    for (const type of ["ts", "json", "wxml", "wxss"])
      expect(existsSync(join(source, `${page}.${type}`)), `${page}.${type}`).toBe(true);
  });

  it("has every function that its elements name", () => {
    const named = elementsOf(join(source, `${page}.wxml`)).flatMap(({ attribs = {} }) =>
      Object.entries(attribs).flatMap(([name, value]) => (/^(bind|catch)/.test(name) ? [value] : [])),
    );
    const others = Object.entries(taken).flatMap(([name, place]) =>
      codeOf(page).includes(`...${name},`) ? [read(place)] : [],
    );
    const code = [codeOf(page), ...others].join("\n");
    const isThere = (name: string) =>
      given.includes(name) || new RegExp(`^ +(async )?${name}\\(.*\\{$`, "m").test(code);
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });

  it("has the namespace of every text that it shows, and the text in both languages, without values to fill in", () => {
    const keys = expressionsOf(page).flatMap((expression) =>
      [...expression.matchAll(/\bt\.([\w.]+)/g)].map(([, key]) => key!),
    );
    const [, list = ""] = /texts: \[([^\]]*)\]/.exec(codeOf(page)) ?? [];
    const namespaces = ["common", "mini", ...[...list.matchAll(/"(\w+)"/g)].map(([, name]) => name)];
    expect(keys.filter((key) => !namespaces.includes(key.split(".")[0]))).toEqual([]);
    // Every namespace is shown.
    expect(namespaces.slice(2).filter((name) => !keys.some((key) => key.startsWith(`${name}.`)))).toEqual([]);
    for (const texts of [english, chinese]) {
      expect(
        keys.filter((key) => typeof textAt(texts, key) !== "string" || (textAt(texts, key) as string).includes("{{")),
      ).toEqual([]);
    }
  });

  it("has a style for every class", () => {
    const styles = read("app.wxss") + read(`${page}.wxss`);
    const classes = elementsOf(join(source, `${page}.wxml`)).flatMap(({ attribs = {} }) =>
      (attribs.class ?? "")
        .replace(/\{\{([^}]*)\}\}/g, (_, choice: string) =>
          [...choice.matchAll(/'(\w*)'/g)].map(([, name]) => name).join(" "),
        )
        .split(/\s+/),
    );
    expect(classes.filter((name) => name !== "" && !new RegExp(`\\.${name}\\b`).test(styles))).toEqual([]);
  });

  it("leads to pages that exist", () => {
    const wxml = elementsOf(join(source, `${page}.wxml`)).flatMap(({ attribs = {} }) => Object.values(attribs));
    const paths = [...wxml, codeOf(page)].flatMap((text) =>
      [...text.matchAll(/\/(pages\/\w+\/\w+)/g)].map(([, path]) => path!),
    );
    expect(paths.filter((path) => !app.pages.includes(path))).toEqual([]);
  });
});

describe("the mini program", () => {
  let built: BuiltProgram;
  beforeAll(async () => {
    built = await buildMiniProgram("https://store.example/functions/v1");
  });
  afterAll(() => built?.remove());

  it("has every page in app.json, and the tabs in Chinese", () => {
    const pages = files.filter((file) => /^pages\/\w+\/\w+\.wxml$/.test(file)).map((file) => file.replace(".wxml", ""));
    expect(app.pages.toSorted()).toEqual(pages.toSorted());
    expect(app.tabBar.list.map(({ text }) => text)).toEqual(Object.values(appChinese.common.tabs));
    expect(app.tabBar.list.map(({ pagePath }) => pagePath)).toEqual(app.pages.slice(0, app.tabBar.list.length));
  });

  it("has the texts of its own in both languages, and uses all of them", () => {
    const keysOf = (texts: Texts, prefix = ""): string[] =>
      Object.entries(texts).flatMap(([key, text]) =>
        typeof text === "string" ? [`${prefix}${key}`] : keysOf(text, `${prefix}${key}.`),
      );
    expect(keysOf(zh)).toEqual(keysOf(en));
    const all = files
      .filter((file) => /\.(ts|wxml)$/.test(file) && !file.startsWith("texts/"))
      .map(read)
      .join("\n");
    // A text is named whole, or its group is.
    const isUsed = (key: string) =>
      key
        .split(".")
        .some((_, at, names) => new RegExp(`mini\\.${names.slice(0, at + 1).join("\\.")}\\b(?!\\.)`).test(all));
    expect(keysOf(en).filter((key) => !isUsed(key))).toEqual([]);
  });

  it("is built into what WeChat takes: CommonJS, no file of the build tools, below 2 MB", () => {
    const names = readdirSync(built.folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      statSync(join(built.folder, name)).isFile(),
    );
    for (const page of app.pages)
      for (const type of ["js", "json", "wxml", "wxss"]) expect(names).toContain(`${page}.${type}`);
    const icons = app.tabBar.list.flatMap(({ iconPath, selectedIconPath }) => [iconPath, selectedIconPath]);
    expect(names.filter((name) => !/\.(js|json|wxml|wxss)$/.test(name)).sort()).toEqual(icons.sort());
    for (const name of names.filter((each) => each.endsWith(".js")))
      expect(readFileSync(join(built.folder, name), "utf8"), name).not.toMatch(/^(import|export) /m);
    expect(names.reduce((sum, name) => sum + statSync(join(built.folder, name)).size, 0)).toBeLessThan(2 * 1024 * 1024);
  });

  it("is a project of WeChat's tools, which build nothing themselves", () => {
    const project = JSON.parse(readFileSync(join(projectRoot, "apps/mini/project.config.json"), "utf8")) as Record<
      string,
      string
    >;
    expect([project.miniprogramRoot, project.compileType]).toEqual(["dist/", "miniprogram"]);
  });

  it("uses nothing that phones lack, and no key twice for what the page helper keeps", () => {
    const kept = ["again", "turn", "query", "write", "act", "refresh", "refreshList", "listReadAt", "isReadingOn"];
    for (const page of app.pages) {
      const own = [...codeOf(page).matchAll(/^ {2,4}(?:async )?(\w+)\(.*\{$/gm)].map(([, name]) => name!);
      expect(
        own.filter((name) => kept.includes(name)),
        basename(page),
      ).toEqual([]);
    }
    const code = readdirSync(built.folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".js"))
      .map((name) => readFileSync(join(built.folder, name), "utf8"))
      .join("\n");
    expect(code).not.toMatch(/\bIntl\b|\blocalStorage\b|\bdocument\.|\(\?<[=!]/);
  });
});
