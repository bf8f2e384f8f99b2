import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Guarantee, readGuarantees } from "../../scripts/release/guarantees.ts";
import { files, objects } from "../../scripts/structure/sql_source.ts";

const root = join(import.meta.dirname, "../..");

const guarantees = readGuarantees();

/** Whether a file has a test of this name. Parameters of `it.each` have the form %s or $name. */
const hasTest = (file: string, name: string) => readFileSync(join(root, file), "utf8").includes(`"${name}",`);

/**
 * The objects of schemas app and api that a mechanism names, with the file of sql/ in which it says they are, if it
 * says so.
 */
const objectsOf = ({ mechanism }: Guarantee) =>
  [...mechanism.matchAll(/`((?:app|api)\.\w+)(?:\(\))?`(?: in `(sql\/[^`]+)`)?/g)].map(([, name, file]) => ({
    name: name!,
    file,
  }));

/** Whether sql/ creates an object of this name, in the file or anywhere. */
const isCreated = ({ name, file }: { name: string; file: string | undefined }) =>
  files.some(
    ({ path, text }) =>
      (file === undefined || file === `sql/${path}`) &&
      objects(text).some((object) => `${object.schema}.${object.name}` === name),
  );

describe("docs/guarantees.md", () => {
  it("names the promise of every rule of the contract", () => {
    expect(guarantees.length).toBeGreaterThan(40);
    const rules = guarantees.flatMap(({ promise }) => promise.match(/\bR\d+/g) ?? []);
    expect(new Set(rules)).toEqual(new Set(Array.from({ length: 12 }, (_, index) => `R${index + 1}`)));
  });

  it("says of each test that only npm run test:full runs it", () => {
    const said = readFileSync(join(root, "docs/guarantees.md"), "utf8")
      .match(/"[^"]+" \(long form only\)/g)!
      .map((text) => text.split('"')[1]!);
    const tests = guarantees
      .flatMap(({ tests }) => tests)
      .flatMap(({ file, names }) => names.map((name) => ({ file, name })));
    const longOnly = tests.filter(({ file, name }) =>
      readFileSync(join(root, file), "utf8").replaceAll(/\(\s+/g, "(").includes(`skipFor(it, longFormOnly)("${name}",`),
    );
    expect(longOnly.length).toBeGreaterThan(0);
    expect(said.sort()).toEqual(longOnly.map(({ name }) => name).sort());
  });

  it.each(guarantees.map((guarantee) => [guarantee.promise, guarantee] as const))(
    "%s: has a mechanism, created where it says, and tests that exist",
    (_promise, guarantee) => {
      expect(guarantee.mechanism).not.toBe("");
      const paths = [...guarantee.mechanism.matchAll(/`((?:sql|functions|scripts|docs|test|supabase)\/[^`]+)`/g)].map(
        ([, path]) => path!,
      );
      expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
      expect(objectsOf(guarantee).filter((object) => !isCreated(object))).toEqual([]);

      expect(guarantee.tests.length).toBeGreaterThan(0);
      for (const { file, names } of guarantee.tests) {
        expect(existsSync(join(root, file)), file).toBe(true);
        expect(file, "npm test does not run it").toMatch(/(?<!\.ci)\.test\.(ts|sql)$/);
        if (file.endsWith(".sql")) continue;
        expect(names, `${file} needs the name of a test`).not.toEqual([]);
        expect(
          names.filter((name) => !hasTest(file, name)),
          file,
        ).toEqual([]);
      }
    },
  );
});
