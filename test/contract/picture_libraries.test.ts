import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { examinePictureLibraries, pictureLibraries } from "../../scripts/doctor/picture_libraries.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";

const read = (path: string) => readFileSync(join(projectRoot, path), "latin1");
const inPackage = (file: string) => readFileSync(createRequire(import.meta.url).resolve(file), "latin1");

it("the document names the libraries that read pictures as the doctor does", () => {
  const [, table] = read("docs/operations.md").split("### Libraries that read pictures");
  for (const { library, version, date, does, package: name } of pictureLibraries)
    expect(table).toContain(`| ${library} | ${version} | ${date} | ${does} | \`${name}\` |`);
});

it("the packages contain these libraries, in versions that are fixed", () => {
  const { dependencies } = JSON.parse(read("functions/package.json")) as { dependencies: Record<string, string> };
  for (const { package: name } of pictureLibraries) expect(dependencies[name], name).toMatch(/^\d+\.\d+\.\d+$/);
  const decoder = inPackage("@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasm");
  // Both are in libjpeg-turbo since 3.1.90.
  for (const text of ["Copyright (C) 1991-2026 The libjpeg-turbo Project", "libspng"]) expect(decoder).toContain(text);
  const encoder = createRequire(import.meta.url).resolve("icodec/jpeg-enc.wasm");
  expect(readFileSync(encoder, "latin1")).toContain("mozjpeg version 4.1.5");
  const versions = JSON.parse(readFileSync(join(dirname(encoder), "../versions.json"), "utf8")) as {
    name: string;
    version: string;
  }[];
  expect(versions).toContainEqual(expect.objectContaining({ name: "libwebp", version: "v1.4.0" }));
});

it("the doctor says when a decoder, which files of strangers reach, is older than a year", () => {
  const decoders = pictureLibraries.filter(({ does }) => does.startsWith("decodes"));
  expect(decoders.length).toBeGreaterThan(1);
  for (const [index, { date }] of decoders.entries()) {
    const after = (days: number) =>
      examinePictureLibraries(new Date(Date.parse(date) + days * 24 * 3600 * 1000))[index];
    expect(after(365)).toMatchObject({ severity: "ok", message: expect.stringContaining(date) });
    expect(after(366)).toMatchObject({ severity: "hint", message: expect.stringContaining("older than a year") });
  }
});
