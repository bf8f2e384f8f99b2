import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { Problem } from "../ground/problem.ts";

/** The file with the notices of third parties, in each folder of built files. */
export const noticesFile = "THIRD_PARTY_NOTICES.txt";

/**
 * Licences of packages that have no text of their own, by name, and of the libraries inside those with WebAssembly. They
 * are from the repositories of these packages and libraries.
 */
export const licenceTexts = join(import.meta.dirname, "licence_texts");

const HEAD = `Third-party notices
第三方许可

This part of the store contains the following packages. 商城的这一部分包含以下软件包。
`;
const RULE = "=".repeat(80);

/** What is said of a package or a file of others. */
interface Notice {
  /** Name, version and licence. */
  title: string;
  text: string;
}

const trimmed = (file: string) => readFileSync(file, "utf8").replaceAll("\r", "").trim();

/** @param folder of a package in node_modules @param files of it that are contained */
function noticeOfPackage(name: string, folder: string, files: string[]): Notice {
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    version: string;
    license?: string;
  };
  const own = readdirSync(folder).filter((file) =>
    /^(?:licen[cs]e|copying|notice|unlicense)(?:[-.](?!js)|$)/i.test(file),
  );
  const further = join(licenceTexts, `${name}.txt`);
  const texts = [...own.sort().map((file) => join(folder, file)), ...(existsSync(further) ? [further] : [])];
  if (texts.length === 0)
    throw new Problem(`${name} ${version} has no licence text.`, `Put that of its repository into ${further}.`);
  if (files.some((file) => file.endsWith(".wasm")) && !existsSync(further))
    throw new Problem(
      `${name} ${version} contains WebAssembly.`,
      `Put the licences of what is inside into ${further}.`,
    );
  const licence = license?.replace(/^\((.*)\)$/, "$1") ?? "see below";
  return { title: `${name} ${version} (${licence})`, text: texts.map(trimmed).join("\n\n") };
}

/** The notice of a file of this project that others made: its licence stands beside it. */
function noticeOfFile(file: string): Notice | undefined {
  const licence = file.replace(/\.\w+$/, ".LICENSE");
  if (licence === file || !existsSync(licence)) return undefined;
  return { title: file.replace(/^.*\//, ""), text: trimmed(licence) };
}

/**
 * The notices of what built files contain: name, version and licence text of each package.
 * @param files the paths of what was bundled
 * @returns undefined if all of it is the store's own
 * @throws Problem that names a package without a licence text
 */
export function thirdPartyNotices(files: Iterable<string>): string | undefined {
  const packages = new Map<string, { name: string; files: string[] }>();
  const notices: Notice[] = [];
  for (const file of new Set(files)) {
    const [, folder, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(file) ?? [];
    if (folder === undefined || name === undefined) {
      const notice = noticeOfFile(file);
      if (notice) notices.push(notice);
    } else packages.set(folder, { name, files: [...(packages.get(folder)?.files ?? []), file] });
  }
  for (const [folder, { name, files: contained }] of packages) notices.push(noticeOfPackage(name, folder, contained));
  if (notices.length === 0) return undefined;

  // Packages of one author often have the same text.
  const titles = new Map<string, Set<string>>();
  for (const { title, text } of notices.sort((a, b) => (a.title < b.title ? -1 : 1)))
    titles.set(text, (titles.get(text) ?? new Set()).add(title));
  return [HEAD, ...[...titles].map(([text, names]) => `${RULE}\n${[...names].join("\n")}\n\n${text}\n`)].join("\n");
}

/** Adds the notices of what a build of Vite contains to its files. */
export function noticesOfBuild(): Plugin {
  return {
    name: "third-party-notices",
    apply: "build",
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((output) =>
        output.type === "chunk"
          ? Object.entries(output.modules)
              // Nothing of a style sheet is in the program.
              .filter(([id, { renderedLength }]) => renderedLength > 0 || /\.css(?:\?|$)/.test(id))
              .map(([id]) => id.replace(/^\0/, "").replace(/\?.*$/, ""))
          : output.originalFileNames,
      );
      const notices = thirdPartyNotices(modules);
      // A byte order mark, because hosts do not say the encoding of text files.
      if (notices !== undefined) this.emitFile({ type: "asset", fileName: noticesFile, source: `\uFEFF${notices}` });
    },
  };
}
