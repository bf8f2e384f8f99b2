import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const folders = ["sql", "test", "functions", "apps", "scripts", "docs", "supabase"];
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...["functions", "apps/console", "apps/h5", "apps/mini", "apps/client", "apps/shared"].map(
    (folder) => `${folder}/README.md`,
  ),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `docs/${path}`),
];

/** Paths that the builds create. */
const built = ["apps/console/dist", "apps/h5/dist", "apps/mini/dist", "apps/client/dist", "dist/functions"];

/**
 * Whether a file or folder exists. The end of the name may be omitted: `docs/decisions/0002`,
 * `test/contract/error_codes`.
 */
function isThere(path: string): boolean {
  try {
    return readdirSync(join(root, dirname(path))).some(
      (name) =>
        name === basename(path) || name.startsWith(`${basename(path)}-`) || name.startsWith(`${basename(path)}.`),
    );
  } catch {
    return false;
  }
}

it.each(documents)("%s names only files and folders that exist", (document) => {
  const paths = [...readFileSync(join(root, document), "utf8").matchAll(/`([\w./-]+)`/g)].map(([, path]) =>
    path!.replace(/\/$/, ""),
  );
  const ours = paths.filter(
    (path) => folders.includes(path.split("/")[0]!) && path.includes("/") && !built.includes(path),
  );
  expect(ours.filter((path) => !isThere(path))).toEqual([]);
});

it("every decision has a number of its own, which its title repeats", () => {
  const decisions = readdirSync(join(root, "docs/decisions")).sort();
  const titles = decisions.map((name) =>
    /^# (\d+)\./.exec(readFileSync(join(root, "docs/decisions", name), "utf8"))?.[1]?.padStart(4, "0"),
  );
  expect(titles).toEqual(decisions.map((name) => name.slice(0, 4)));
  expect(new Set(titles).size).toBe(titles.length);
});
