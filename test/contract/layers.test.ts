import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";

/** The folders of a folder in layers, the lowest first. Those of one line do not use each other. */
const LAYERS: [folder: string, layers: string[][]][] = [
  [
    "scripts",
    [
      ["ground"],
      ["auth"],
      ["postgres"],
      ["command_line"],
      ["demo", "structure", "import", "journal", "seals"],
      ["audit"],
      ["generate", "scale"],
      ["stack"],
      ["checks"],
      ["testing"],
      ["model", "pictures"],
      ["histories"],
      ["administrators", "bench", "faults", "mutation"],
      ["doctor"],
      ["deploy", "release"],
      ["commands"],
    ],
  ],
  [
    "functions/_shared",
    [
      ["ground", "html", "words"],
      ["responses"],
      ["database", "secrets"],
      ["access", "resources"],
      ["files", "notices", "pictures"],
      ["routes", "wechat"],
      ["documents", "providers"],
      ["http"],
      ["handlers"],
    ],
  ],
];

it.each(LAYERS)("a folder of %s uses the folders of lower layers only", (name, layers) => {
  const folder = join(projectRoot, name);
  const layerOf = (part: string) => layers.findIndex((parts) => parts.includes(part));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const uses = files.flatMap((path) =>
    [...readFileSync(join(folder, path), "utf8").matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)]
      .map(([, target]) => ({ user: path, used: relative(folder, join(folder, dirname(path), target!)) }))
      .filter(({ used }) => !used.startsWith("..")),
  );
  expect(uses.length).toBeGreaterThan(200);
  const top = (path: string) => path.split("/")[0]!;
  expect([...new Set(files.map(top))].filter((part) => layerOf(part) === -1)).toEqual([]);
  expect(
    uses
      .filter(({ user, used }) => top(user) !== top(used) && layerOf(top(user)) <= layerOf(top(used)))
      .map(({ user, used }) => `${user} uses ${used}`),
  ).toEqual([]);
});

it("what tests and commands share is below both: scripts/ uses nothing of test/, and only the tests of commands use one", () => {
  const importsOf = (folder: string) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .flatMap((path) =>
        [...readFileSync(join(projectRoot, folder, path), "utf8").matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)].map(
          ([, target]) => `${folder}/${path} uses ${join(folder, dirname(path), target!)}`,
        ),
      );
  expect(importsOf("scripts").filter((use) => / uses test\//.test(use))).toEqual([]);
  expect(importsOf("test").filter((use) => / uses scripts\/commands\//.test(use) && !use.startsWith("test/commands/"))).toEqual([]);
});
