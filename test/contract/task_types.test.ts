import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { taskTypes } from "../../console/src/pages/levels/levels_draft.ts";
import { taskType } from "../../functions/_shared/resources/levels.ts";

const table = readFileSync(join(import.meta.dirname, "../../sql/2_tables/03_agent_level_tasks.sql"), "utf8");
const [, list] = /constraint type_is_known check \(type in \((.*)\)\)/.exec(table)!;
const types = [...list!.matchAll(/'(\w+)'/g)].map(([, type]) => type);

it("the API knows the task types of the database", () => {
  expect([...taskType.options].sort()).toEqual([...types].sort());
});

it("the console knows the task types of the database", () => {
  expect([...taskTypes].sort()).toEqual([...types].sort());
});
