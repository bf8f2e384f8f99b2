import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { filesInTurns, leftToLaterTurns, turns } from "../support/turns.ts";

it("of successive turns, one runs each file that takes turns", () => {
  const run = Array.from({ length: turns }, (_, turn) => filesInTurns().filter((path) => !leftToLaterTurns(7 + turn).includes(path)));
  expect(run.flat().sort()).toEqual(filesInTurns().sort());
  expect(Math.min(...run.map(({ length }) => length))).toBeGreaterThan(4);
});

it("no file that guards a promise, runs one of the two commands, or draws other calls in each run, takes turns", () => {
  expect(filesInTurns()).not.toContain("test/stack/restore.test.ts");
  expect(filesInTurns()).not.toContain("test/stack/readme.test.ts");
  expect(filesInTurns()).not.toContain("test/contract/bad_arguments.test.ts");
  expect(filesInTurns().filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});
