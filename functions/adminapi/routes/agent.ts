import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actor.ts";
import { agentLevel, agentLevelsDraft } from "../../_shared/resources/agent_level.ts";
import { defineRoute } from "../../_shared/route.ts";
import { listOf, time } from "../../_shared/schemas.ts";

const levels = listOf(agentLevel).extend({
  version: z.int().min(1),
  versions: z.array(z.strictObject({ version: z.int().min(1), created_by: actor, created_at: time }))
    .openapi({ description: "The last twenty, newest first." }),
}).openapi("AgentLevels");

const finding = z.strictObject({
  check_id: z.string(),
  severity: z.enum(["ok", "warning", "error"]),
  subject: z.string().nullable(),
  message: z.string().nullable(),
  hint: z.string().nullable(),
}).openapi("Finding");

export const agentRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/agent/level",
    auth: "admin",
    tag: "Levels",
    summary: "The agent levels with their points and tasks",
    answer: levels,
    calls: "get_agent_levels",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/agent/level",
    auth: "admin",
    tag: "Levels",
    summary: "Replace the agent levels as a whole",
    description: "A grade that members hold can be switched off but not removed.",
    request: {
      body: z.strictObject({
        levels: agentLevelsDraft,
        version: z.int().min(1).max(2_147_483_647).optional().openapi({ description: "The version that the change was made to; refused where another is in force by now." }),
      }),
    },
    answer: levels,
    errors: ["levels_invalid", "changed_meanwhile"],
    calls: "set_agent_levels",
    args: ({ body }) => ({ p_levels: body.levels, p_version: body.version }),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/verify_agent_config",
    auth: "admin",
    tag: "Levels",
    summary: "Check levels, tasks, plan and schedule end to end",
    description: "Plays the main job with synthetic members and undoes it. The report of the command hjf:verify-agent-config.",
    answer: listOf(finding).extend({ ok: z.boolean() }),
    calls: "get_agent_config_report",
  }),
] as const;
