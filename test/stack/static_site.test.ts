import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { sourcesOf } from "../../scripts/stack/static_site.ts";

/** The files of the project that a file imports, apart from types, which no build contains. */
function importsOf(file: string): string[] {
  const statements = readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?!type\b)[^;]*?"(\.[^"?]+)"|import\("(\.[^"?]+)"\)/gm,
  );
  return [...statements]
    .map(([, path, lazy]) => join(dirname(file), path ?? lazy!))
    .filter((path) => existsSync(path) && statSync(path).isFile());
}

it.each([
  [
    "apps/console",
    ["functions/_shared/words/words.ts", "functions/_shared/files/csv_formula.ts", "apps/shared/config.ts"],
  ],
  ["apps/h5", ["apps/client/index.ts", "apps/shared/config.ts"]],
])("a change of any file that %s imports builds it again", async (source, elsewhere) => {
  const sources = await sourcesOf({ source });
  for (const name of elsewhere) expect(sources).toContain(join(import.meta.dirname, "../..", name));
  const modules = sources.filter((file) => /\.tsx?$/.test(file));
  expect(modules.length).toBeGreaterThan(50);
  expect(modules.flatMap(importsOf).filter((file) => !sources.includes(file))).toEqual([]);
});
