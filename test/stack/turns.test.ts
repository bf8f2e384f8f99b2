import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { filesInTurns, leftToNextTurn } from "../support/turns.ts";

it("of two successive turns, one runs each file that takes turns", () => {
  const [first, second] = [leftToNextTurn(1), leftToNextTurn(2)];
  expect([...first, ...second].sort()).toEqual(filesInTurns().sort());
  expect(first.length).toBeGreaterThan(10);
});

it("no file that guards a promise, or runs one of the two commands, takes turns", () => {
  expect(filesInTurns()).not.toContain("test/stack/restore.test.ts");
  expect(filesInTurns()).not.toContain("test/stack/readme.test.ts");
  expect(filesInTurns().filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});
