import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../scripts/stack/paths.ts";
import { files, routines } from "../../scripts/structure/sql_source.ts";

const textsOf = (folder: string) => {
  const directory = join(projectRoot, folder);
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".sql")).map((file) => readFileSync(join(directory, file), "utf8"));
};

test("every check of reconcile() is seen finding damage", () => {
  const checks = files.flatMap(({ text }) => routines(text)).map(({ statement }) => statement).filter((statement) => statement.includes("check_name text"))
    .flatMap((text) => [...text.matchAll(/(?:select|\()\s*'([a-z]+(?:_[a-z]+)+)'\s*,/g)].map(([, name]) => name!));
  expect(checks.length).toBeGreaterThan(40);
  const tests = textsOf("test/db/reconcile").join("\n");
  expect(checks.filter((check) => !new RegExp(`\\b${check}\\b`).test(tests))).toEqual([]);
});
