import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const folders = [
  "sql",
  "functions",
  "apps/console/src",
  "apps/h5/src",
  "apps/mini/src",
  "apps/shared",
  "scripts",
  "docs",
];

const texts = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:sql|tsx?|md)$/.test(path))
    .map((path) => ({ path: `${folder}/${path}`, lines: readFileSync(join(root, folder, path), "utf8").split("\n") })),
);

it.each([
  ["冲回", /扣回|追回|收回.{0,3}(?:佣金|积分|金额)/],
  ["调账", /余额.{0,2}调整|调整.{0,4}余额/],
])("%s is the only word for what the glossary calls so", (term, others) => {
  const glossary = texts.find(({ path }) => path === "docs/glossary.md")!;
  expect(glossary.lines.some((line) => line.includes(`| ${term} |`))).toBe(true);
  expect(
    texts.flatMap(({ path, lines }) =>
      lines.filter((line) => others.test(line)).map((line) => `${path}: ${line.trim()}`),
    ),
  ).toEqual([]);
});
