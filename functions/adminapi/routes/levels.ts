import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { agentLevel, agentLevelsDraft } from "../../_shared/resources/levels.ts";
import { defineRoute } from "../../_shared/route.ts";
import { listOf, time } from "../../_shared/schemas.ts";

const levels = listOf(agentLevel).extend({
  version: z.int().min(1),
  versions: z.array(z.strictObject({ version: z.int().min(1), created_by: actor, created_at: time }))
    .openapi({ description: "The last twenty, newest first." }),
}).openapi("AgentLevels");

export const levelRoutes = [
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
        version: z.int().min(1).max(2_147_483_647).optional().openapi({ description: "The version that was edited. The request fails with changed_meanwhile if another version is in force." }),
      }),
    },
    response: levels,
    errors: ["levels_invalid", "changed_meanwhile"],
    calls: "set_agent_levels",
    args: ({ body }) => ({ p_levels: body.levels, p_version: body.version }),
  }),
] as const;
