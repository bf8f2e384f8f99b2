import { expect, it } from "vitest";
import { raisedErrors, unneededExceptions } from "./snapshots/raised_errors.ts";

it("the table of errors names those that each function of sql/ can raise", async () => {
  await expect(raisedErrors()).toMatchFileSnapshot("snapshots/raised_errors.md");
});

it("every exception is needed", () => {
  expect(unneededExceptions()).toEqual([]);
});
