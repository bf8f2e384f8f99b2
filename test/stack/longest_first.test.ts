import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { longest } from "../support/longest_first.ts";

it("the test files that start first exist", () => {
  expect(Object.keys(longest).filter((name) => !existsSync(join(projectRoot, "test", name)))).toEqual([]);
});
