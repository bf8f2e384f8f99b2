import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pictureLibraries } from "../../scripts/doctor/picture_libraries.ts";
import { thirdPartyNotices } from "../../scripts/generate/third_party_notices.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "store-notices-"));
});
afterAll(() => rmSync(place, { recursive: true }));

/** A package in node_modules. @returns the path of one of its files */
function install(name: string, files: Record<string, string>, file = "index.js", license = "MIT"): string {
  const folder = join(place, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  const all = { "package.json": JSON.stringify({ name, version: "1.2.3", license }), ...files };
  for (const [path, content] of Object.entries(all)) writeFileSync(join(folder, path), content);
  return join(folder, file);
}

describe("the notices of third parties", () => {
  it("have name, version, licence and text of each package, and one text for all that have the same", () => {
    const notices = thirdPartyNotices([
      install("@scope/first", { LICENSE: "The text of the author\r\n" }),
      install("second", { "license.md": "The text of the author" }),
      install("@scope/first", {}, "other.js"),
      install("third", { LICENSE: "Another text", NOTICE: "What has to be named", "license.js": "no text" }, "a.css"),
      join(place, "own.ts"),
    ])!;
    const [, ...parts] = notices.split(/^=+\n/m);
    expect(parts.map((part) => part.trim())).toEqual([
      "@scope/first 1.2.3 (MIT)\nsecond 1.2.3 (MIT)\n\nThe text of the author",
      "third 1.2.3 (MIT)\n\nAnother text\n\nWhat has to be named",
    ]);
  });

  it("have the licence that stands beside a file, such as a font", () => {
    writeFileSync(join(place, "font.LICENSE"), "SIL Open Font License");
    expect(thirdPartyNotices([join(place, "font.woff2")])).toContain("font.woff2\n\nSIL Open Font License");
  });

  it("are none if there is nothing of others", () => {
    expect(thirdPartyNotices([join(place, "own.ts")])).toBeUndefined();
  });

  it("name a package without a text, and one with WebAssembly of which nobody has said what is inside", () => {
    expect(() => thirdPartyNotices([install("bare", { "LICENSE.js": "" })])).toThrow(
      expect.objectContaining({
        message: "bare 1.2.3 has no licence text.",
        advice: expect.stringContaining("licence_texts/bare.txt") as string,
      }) as Error,
    );
    expect(() => thirdPartyNotices([install("@scope/inside", { LICENSE: "Its text" }, "a.wasm")])).toThrow(
      expect.objectContaining({
        message: "@scope/inside 1.2.3 contains WebAssembly.",
        advice: expect.stringContaining("licence_texts/@scope/inside.txt") as string,
      }) as Error,
    );
  });

  it("have the libraries inside the files of WebAssembly", () => {
    const noticesOf = (name: string) => thirdPartyNotices([join(projectRoot, "node_modules", name, "a.wasm")]);
    for (const { library, version, package: name } of pictureLibraries)
      expect(noticesOf(name)).toContain(`${library} ${version}`);
    for (const text of ["Mozilla Public License Version 2.0", "tiny-skia", "rustybuzz"])
      expect(noticesOf("@resvg/resvg-wasm")).toContain(text);
  });
});
