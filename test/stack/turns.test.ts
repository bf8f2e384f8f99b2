import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { longest } from "../support/longest_first.ts";
import { filesInTurns, filesOfTurns, leftToLaterTurns, turns } from "../support/turns.ts";

it("of successive turns, one runs each file that takes turns", () => {
  const files = filesInTurns();
  const run = Array.from({ length: turns }, (_, turn) => {
    const left = leftToLaterTurns(7 + turn);
    return files.filter((path) => !left.includes(path));
  });
  expect(run.flat().sort()).toEqual(files.sort());
});

it.each([2, 4, 10])("a file that takes turns meets each of its %i parts in time", (parts) => {
  const met = Array.from({ length: parts }, (_, round) => (round * turns) % parts);
  expect(new Set(met).size).toBe(parts);
});

it("no turn takes half as long again as another", () => {
  const seconds = filesOfTurns().map((files) => files.reduce((sum, path) => sum + longest[path.replace("test/", "")]!, 0));
  expect(Math.max(...seconds)).toBeLessThan(1.5 * Math.min(...seconds));
});

it("no file that guards a promise, runs one of the two commands or the worked examples, or draws other calls in each run, takes turns", () => {
  expect(filesInTurns()).not.toContain("test/stack/restore.test.ts");
  expect(filesInTurns()).not.toContain("test/stack/readme.test.ts");
  expect(filesInTurns()).not.toContain("test/contract/bad_arguments.test.ts");
  expect(filesInTurns()).not.toContain("test/contract/worked_examples.test.ts");
  expect(filesInTurns().filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});
