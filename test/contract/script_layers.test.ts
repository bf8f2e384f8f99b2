import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";

const folder = join(projectRoot, "scripts");

/** The folders of scripts/ in layers, the lowest first. Those of one line do not use each other. */
const LAYERS = [
  ["ground"],
  ["auth"],
  ["postgres"],
  ["command_line"],
  ["demo", "structure", "import", "journal", "seals"],
  ["audit"],
  ["generate", "scale"],
  ["stack"],
  ["administrators", "checks", "mutation", "pictures"],
  ["doctor"],
  ["deploy", "release"],
  ["commands"],
];

const layerOf = (name: string) => LAYERS.findIndex((names) => names.includes(name));

it("a folder of scripts/ uses the folders of lower layers only", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const uses = files.flatMap((path) =>
    [...readFileSync(join(folder, path), "utf8").matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)]
      .map(([, target]) => ({ user: path, used: relative(folder, join(folder, dirname(path), target!)) }))
      .filter(({ used }) => !used.startsWith("..")),
  );
  expect(uses.length).toBeGreaterThan(200);
  const top = (path: string) => path.split("/")[0]!;
  expect([...new Set(files.map(top))].filter((name) => layerOf(name) === -1)).toEqual([]);
  expect(
    uses
      .filter(({ user, used }) => top(user) !== top(used) && layerOf(top(user)) <= layerOf(top(used)))
      .map(({ user, used }) => `${user} uses ${used}`),
  ).toEqual([]);
});
