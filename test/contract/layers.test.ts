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
      ["scale"],
      ["generate"],
      ["stack"],
      ["checks", "watch"],
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

/**
 * The imports of the files of a folder of the project: the file and what it imports, both from the root of the project.
 */
const importsOf = (folder: string): { user: string; used: string }[] =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `${folder}/${path}`)
    .flatMap((user) =>
      [...readFileSync(join(projectRoot, user), "utf8").matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)].map(
        ([, target]) => ({
          user,
          used: join(dirname(user), target!),
        }),
      ),
    );

const described = (uses: { user: string; used: string }[]) => uses.map(({ user, used }) => `${user} uses ${used}`);

it.each(LAYERS)("a folder of %s uses the folders of lower layers only", (folder, layers) => {
  const uses = importsOf(folder).filter(({ used }) => used.startsWith(`${folder}/`));
  expect(uses.length).toBeGreaterThan(200);
  const top = (path: string) => relative(folder, path).split("/")[0]!;
  const layerOf = (path: string) => layers.findIndex((parts) => parts.includes(top(path)));
  const parts = readdirSync(join(projectRoot, folder)).filter((name) => !name.endsWith(".mjs"));
  expect(parts.filter((name) => layerOf(`${folder}/${name}`) === -1)).toEqual([]);
  expect(described(uses.filter(({ user, used }) => top(user) !== top(used) && layerOf(user) <= layerOf(used)))).toEqual(
    [],
  );
});

it("the kit uses nothing else of the project, and its rules nothing of what has happened", () => {
  const uses = importsOf("kit");
  expect(described(uses.filter(({ used }) => !used.startsWith("kit/")))).toEqual([]);
  const lower = (used: string) => used.startsWith("kit/rules/") || ["kit/amounts.ts", "kit/format.ts"].includes(used);
  const ofRules = uses.filter(({ user }) => user.startsWith("kit/rules/"));
  expect(ofRules.length).toBeGreaterThan(5);
  expect(described(ofRules.filter(({ used }) => !lower(used)))).toEqual([]);
});

it("what tests and commands share is below both: scripts/ uses nothing of test/, and only the tests of commands use one", () => {
  expect(described(importsOf("scripts").filter(({ used }) => used.startsWith("test/")))).toEqual([]);
  const ofCommands = importsOf("test").filter(({ used }) => used.startsWith("scripts/commands/"));
  expect(described(ofCommands.filter(({ user }) => !user.startsWith("test/commands/")))).toEqual([]);
});
