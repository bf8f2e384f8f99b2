import type { Admin } from "../../../client/index.ts";
import { billSourceWords, billTypeWords, codesOf, taskWords, type Words } from "../../../../functions/_shared/words/words.ts";

export type TaskType = keyof Admin["AgentLevel"]["tasks"];
export const taskTypes = codesOf(taskWords satisfies Words<TaskType>);

export const areas = [
  "records",
  "content",
  "orders",
  "refunds",
  "members",
  "money",
  "plan",
  "system",
  "administrators",
  "keys",
] as const satisfies Admin["OwnRoles"]["areas"];

export const roles = ["owner", "finance", "service", "content"] as const satisfies Admin["Administrator"]["roles"];

export const billTypes = codesOf(billTypeWords);
export const billSources = codesOf(billSourceWords);
