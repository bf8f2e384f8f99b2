import type { Admin } from "../../../client/index.ts";
import { VALUE_LISTS } from "../../../../functions/_shared/ground/value_lists.ts";
import { billTypeWords } from "../../../../functions/_shared/words/bill_type_words.ts";
import { billSourceWords, codesOf, taskWords, type Words } from "../../../../functions/_shared/words/words.ts";

export type TaskType = keyof Admin["AgentLevel"]["tasks"];
export const taskTypes = codesOf(taskWords satisfies Words<TaskType>);

export const roles = VALUE_LISTS["role_areas.role"];

export const billTypes = codesOf(billTypeWords);
export const billSources = codesOf(billSourceWords);
