import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const folders = ["h5/src", "shared/member_styles"].map((name) => join(import.meta.dirname, "../../apps", name));
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
);
const modules = files.filter((path) => path.endsWith(".module.css"));

interface Use {
  names: Set<string>;
  /** Whether a class is chosen by an expression, such as `styles[look]`. Then any of them may be used. */
  isChosen: boolean;
}

/**
 * The classes that the components take from each module. The type check knows no classes: an unknown one is undefined.
 */
function usesOfModules(): Map<string, Use> {
  const uses = new Map(modules.map((path) => [path, { names: new Set<string>(), isChosen: false }]));
  for (const path of files.filter((file) => file.endsWith(".tsx"))) {
    const code = readFileSync(path, "utf8");
    for (const [statement, variable, address] of code.matchAll(/^import (\w+) from "(.+\.module\.css)";$/gm)) {
      const use = uses.get(join(dirname(path), address!))!;
      const rest = code.replace(statement, "");
      for (const [, name] of rest.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, "g"))) use.names.add(name!);
      use.isChosen ||= rest.includes(`${variable}[`);
    }
  }
  return uses;
}

/** The classes that a module declares. Those of the component library are global. */
function classesOf(path: string): string[] {
  const selectors = readFileSync(path, "utf8")
    .replaceAll(/\/\*.*?\*\/|:global\([^)]*\)/gs, "")
    .replaceAll(/\{[^{}]*\}/g, "{}");
  return [...new Set([...selectors.matchAll(/\.([a-zA-Z]\w*)/g)].map(([, name]) => name!))];
}

it("every class that a component of the H5 app takes from a module is declared there, and every declared one is taken", () => {
  const faults = [...usesOfModules()].flatMap(([path, { names, isChosen }]) => {
    const declared = classesOf(path);
    const missing = [...names].filter((name) => !declared.includes(name)).map((name) => `${path} lacks .${name}`);
    const unused = isChosen
      ? []
      : declared.filter((name) => !names.has(name)).map((name) => `nothing takes .${name} of ${path}`);
    return [...missing, ...unused];
  });
  expect(modules.length).toBeGreaterThan(0);
  expect(faults).toEqual([]);
});
