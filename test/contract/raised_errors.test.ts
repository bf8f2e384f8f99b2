import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { raisedErrors, raisedErrorsFile, unneededExceptions } from "../../scripts/generate/raised_errors.ts";

it("docs/raised_errors.md names the errors that each function of sql/ can raise", () => {
  expect(readFileSync(raisedErrorsFile, "utf8")).toBe(raisedErrors());
});

it("every exception is needed", () => {
  expect(unneededExceptions()).toEqual([]);
});
