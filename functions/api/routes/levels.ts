import { z } from "@hono/zod-openapi";
import { agentLevel, nextLevel } from "../../_shared/resources/levels.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const ownLevel = z
  .strictObject({
    agent_level: z
      .int()
      .min(0)
      .openapi({ description: bilingual("Grade; 0 is none.", "级别；0 表示没有等级。") }),
    is_held: z.boolean().openapi({
      description: "Whether the level is held: tasks do not raise the member until an administrator ends the hold.",
    }),
    next: nextLevel,
    levels: z.array(agentLevel).openapi({ description: bilingual("The active grades.", "启用的级别。") }),
  })
  .openapi("OwnLevel");

export const levelRoutes = [
  defineRoute({
    method: "get",
    path: "/api/agent/level",
    auth: "user",
    tag: "Levels",
    summary: bilingual(
      "The member's level, all levels, and the tasks of the next one",
      "会员等级、全部等级，以及下一等级的考核任务",
    ),
    response: ownLevel,
    calls: "get_own_level",
  }),
] as const;
