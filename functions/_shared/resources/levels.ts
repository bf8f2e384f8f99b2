import { z } from "@hono/zod-openapi";
import { points, text } from "./schemas.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";

/** What a task counts: the types of tasks. */
export const taskType = z.enum(VALUE_LISTS["agent_level_tasks.type"]);

const target = z.int().min(1).max(2_147_483_647).optional();

const settings = z.strictObject({
  grade: z.int().min(0).max(100),
  name: text(1, 50),
  name_zh: text(1, 50),
  direct_points: points.openapi({ description: "Points for the buyer's referrer, per unit of queue goods." }),
  umbrella_points: points.openapi({
    description: "Points for ancestors of the referrer, per unit, less the umbrella points of members below.",
  }),
  is_active: z.boolean(),
  tasks: z
    .strictObject(Object.fromEntries(taskType.options.map((type) => [type, target])) as Record<z.infer<typeof taskType>, typeof target>)
    .openapi({ description: "Targets by type of task. All must be met." }),
});

/** A level with its points and tasks. */
export const agentLevel = settings.openapi("AgentLevel");

/** What let a member rise by tasks. */
export const riseCause = z.enum(VALUE_LISTS["level_changes.cause"]).openapi({
  description:
    "order: an order was settled. refund: a request for a refund was answered or taken back. assess: a member below is assessed again. refer: a member with orders joined below. import: an import has ended. hold: the hold of the level has ended.",
});

/** How far a member is with the tasks of the grade above. */
export const nextLevel = z
  .strictObject({
    agent_level: z.int().min(1),
    agent_level_name: z.string(),
    in_review: z.boolean().openapi({
      description: "Whether all tasks are met and the store is reviewing the level, as after a change of the level settings.",
    }),
    tasks: z.array(z.strictObject({ type: taskType, target: z.int(), current: z.int().min(0), missing: z.int().min(0), met: z.boolean() })),
  })
  .nullable()
  .openapi({ description: "The next active grade; null at the top." });

/** The new settings of all levels. */
export const agentLevelsDraft = z
  .array(settings.extend({ is_active: z.boolean().default(true) }).openapi("AgentLevelDraft"))
  .min(1)
  .max(101)
  .openapi({ description: "All levels, by grade, from 0 without gaps." });
