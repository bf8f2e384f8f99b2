import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { agentLevel, agentLevelsDraft, taskType } from "../../_shared/resources/levels.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idText, integerText, listOf, time } from "../../_shared/resources/schemas.ts";

const levels = listOf(agentLevel)
  .extend({
    version: z.int().min(1),
    versions: z
      .array(z.strictObject({ version: z.int().min(1), created_by: actor, created_at: time }))
      .openapi({ description: "The last twenty, newest first." }),
  })
  .openapi("AgentLevels");

const reviewed = z
  .strictObject({
    uid: id,
    nickname: z.string(),
    agent_level: z.int().min(0),
    level_is_held: z.boolean(),
    reached_level: z.int().min(0).nullable().openapi({
      description:
        "The grade that the member would reach today. Null for a member at the top grade with too many members below to count them here.",
    }),
    missing: z
      .array(z.strictObject({ agent_level: z.int().min(1), type: taskType, target: z.int(), current: z.int() }))
      .nullable()
      .openapi({
        description: "The tasks that are not met, of the grades above the reached one up to the member's own.",
      }),
  })
  .openapi("ReviewedMember");

export const levelRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/agent/level/review",
    auth: "admin",
    tag: "Levels",
    summary: "Members who would not reach their level today, or who would rise",
    description:
      "Levels do not fall by themselves after refunds, and new level settings raise nobody by themselves. A page reads a limited number of members and can be shorter than limit, or empty, while next_cursor is not null.",
    request: {
      query: z.strictObject({
        limit: integerText(1, 100).optional().openapi({ default: 20 }),
        cursor: idText.optional().openapi({ description: "next_cursor of the previous page." }),
        kind: z.enum(["fall", "rise"]).optional().openapi({
          default: "fall",
          description:
            "fall: members who would not reach their level. rise: members who meet the tasks of a higher level and have not risen.",
        }),
      }),
    },
    response: z.strictObject({ list: z.array(reviewed), next_cursor: id.nullable() }),
    calls: "get_level_review",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/agent/level",
    auth: "admin",
    tag: "Levels",
    summary: "The levels with their points and tasks",
    response: levels,
    calls: "get_agent_levels",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/agent/level",
    auth: "admin",
    tag: "Levels",
    summary: "Replace all levels",
    description: "A grade that members hold can be switched off but not removed.",
    request: {
      body: z.strictObject({
        levels: agentLevelsDraft,
        version: z.int().min(1).max(2_147_483_647).optional().openapi({
          description: "The version that was edited. The request fails with changed_meanwhile if another version is in force.",
        }),
      }),
    },
    response: levels,
    errors: ["levels_invalid", "changed_meanwhile"],
    calls: "set_agent_levels",
  }),
] as const;
