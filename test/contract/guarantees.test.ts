import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { documentOfGuarantees } from "../../scripts/generate/guarantees_document.ts";
import { readGuarantees, tagsIn } from "../../scripts/structure/guarantees.ts";

const guarantees = readGuarantees();

describe("the guarantees", () => {
  it("have a promise for every rule of the contract", () => {
    expect(guarantees.length).toBeGreaterThan(200);
    const rules = guarantees.flatMap(({ promise }) => promise.match(/\bR\d+/g) ?? []);
    expect(new Set(rules)).toEqual(new Set(Array.from({ length: 12 }, (_, index) => `R${index + 1}`)));
  });

  it("are tested by files that npm test runs", () => {
    const files = guarantees.flatMap(({ tests }) => tests.map(({ file }) => file));
    expect(files.filter((file) => file.endsWith(".ci.test.ts"))).toEqual([]);
  });

  it("are in docs/guarantees.md as the tests declare them", () => {
    const { path, content } = documentOfGuarantees();
    expect(readFileSync(path, "utf8") === content, `${path} is out of date; run: npm run gen`).toBe(true);
  });
});

describe("the comment of a test", () => {
  const described = (file: string, text: string) =>
    tagsIn(file, text).map(({ name, promise, mechanism, test }) => [
      name,
      promise,
      mechanism,
      test.name,
      test.isLongForm,
    ]);

  it("declares a guarantee or refers to one", () => {
    const text = [
      'describe("orders", () => {',
      "  // A reason.",
      "  // Guarantee money/once: An order is",
      "  // paid once",
      "  // By: the lock, app.pay",
      "  // Guarantee money/twice",
      '  it.each([1, 2])("are paid once (%i)", () => {});',
      "",
      "  // Guarantee money/twice",
      "  skipFor(it, longFormOnly)(",
      '    "are paid twice",',
      "    () => {},",
      "  );",
      "});",
    ].join("\n");
    expect(described("a.test.ts", text)).toEqual([
      ["money/once", "An order is paid once", "the lock, app.pay", "are paid once (%i)", false],
      ["money/twice", undefined, undefined, "are paid once (%i)", false],
      ["money/twice", undefined, undefined, "are paid twice", true],
    ]);
  });

  it("is the head of a file in SQL", () => {
    expect(
      described("a.test.sql", "-- Guarantee money/once: An order is paid once\n-- By: the lock\nbegin;\n"),
    ).toEqual([["money/once", "An order is paid once", "the lock", undefined, false]]);
  });

  it.each([
    ["above no test", "a.test.ts", '// Guarantee money/once\ndescribe("orders", () => {});\n'],
    ["in another form", "a.test.ts", '// Guarantee Money: once\nit("is paid", () => {});\n'],
    ["below the head", "a.test.sql", "begin;\n-- Guarantee money/once\nrollback;\n"],
    ["with a text after a reference", "a.test.ts", '// Guarantee money/once\n// More.\nit("is paid", () => {});\n'],
  ])("is refused with a tag %s", (_what, file, text) => {
    expect(() => tagsIn(file, text)).toThrow();
  });
});
