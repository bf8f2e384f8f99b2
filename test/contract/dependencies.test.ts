import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dependencyRows, documentOfDependencies } from "../../scripts/generate/dependency_document.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";

interface Manifest {
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(projectRoot, folder, "package.json"), "utf8")) as Manifest;

it("docs/dependencies.md has the packages of package.json and of the workspaces, and no others", () => {
  const folders = ["", "apps/client", "apps/console", "apps/h5", "apps/mini", "apps/shared", "functions"];
  const direct = folders.flatMap((folder) => {
    const { dependencies, devDependencies, optionalDependencies } = manifestOf(folder);
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  });
  expect(
    dependencyRows()
      .map((row) => row.package)
      .sort(),
  ).toEqual([...new Set(direct)].sort());
});

it("docs/dependencies.md says what each package is for", () => {
  expect(dependencyRows().filter(({ purpose }) => purpose.trim() === "")).toEqual([]);
});

it("docs/dependencies.md has the licences and versions of package-lock.json (otherwise: npm run gen)", () => {
  const { path, content } = documentOfDependencies();
  expect(readFileSync(path, "utf8")).toBe(content);
  // No package comes without a licence.
  expect(content).not.toMatch(/\| {2}\| \S+ \| \S+ \|$/m);
});
