import { z } from "@hono/zod-openapi";
import { agentLevel, nextLevel } from "../../_shared/resources/levels.ts";
import { defineRoute } from "../../_shared/routes/route.ts";

const ownLevel = z
  .strictObject({
    agent_level: z.int().min(0).openapi({ description: "Grade; 0 is none." }),
    is_held: z
      .boolean()
      .openapi({ description: "Whether the level is held: tasks do not raise the member until an administrator ends the hold." }),
    next: nextLevel,
    levels: z.array(agentLevel).openapi({ description: "The active grades." }),
  })
  .openapi("OwnLevel");

export const levelRoutes = [
  defineRoute({
    method: "get",
    path: "/api/agent/level",
    auth: "user",
    tag: "Levels",
    summary: "The member's level, all levels, and the tasks of the next one",
    response: ownLevel,
    calls: "get_own_level",
  }),
] as const;
