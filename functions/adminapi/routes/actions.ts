import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { defineRoute } from "../../_shared/route.ts";
import { cursorPaging, id, logOf, money, period, points, text, time } from "../../_shared/schemas.ts";

const targetType = z.enum([
  "administrator", "agent_levels", "article", "article_category", "commission_plan", "crontab", "member", "order", "product", "settings",
]);

const values = z.record(z.string(), z.unknown()).nullable();

const action = z.strictObject({
  id,
  actor: actor.openapi({ description: "The administrator; null is the owner of the database." }),
  function: z.string().openapi({ description: "What was done: the name of the database function.", example: "set_agent_level" }),
  target_type: targetType,
  target_id: z.string().nullable().openapi({
    description: "uid of a member, id of an order, product, article or category, name of a job, version of plan or levels; null for the settings.",
    example: "10001",
  }),
  from: values.openapi({
    description: "What changed, as it was before; null where the target is new. Ids, states, amounts, settings and levels only.",
    example: { agent_level: 1 },
  }),
  to: values.openapi({
    description: "The same afterwards; null where the target is gone. Of names and texts it says only \"changed\".",
    example: { agent_level: 2 },
  }),
  actor_earned: z.strictObject({ commission: money, points }).nullable().openapi({
    description: "Of an action on an order: what the order has brought the administrator's own member account so far, less what was taken back; null where it brought nothing.",
  }),
  request_id: z.string().nullable().openapi({ description: "X-Request-Id of the request." }),
  add_time: time,
}).openapi("AdminAction");

export const actionRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/action",
    auth: "admin",
    tag: "System",
    summary: "What administrators did, newest first",
    description: "Every administrative write is one action. The actions of one thing are found by target_type and target_id.",
    request: {
      query: cursorPaging.extend({
        function: text(1, 63).optional(),
        target_type: targetType.optional(),
        target_id: text(1, 255).optional(),
        actor: z.uuid().optional().openapi({ description: "auth_id of the administrator." }),
        ...period,
      }),
    },
    answer: logOf(action),
    calls: "get_actions",
    args: ({ query }) => ({
      p_function: query.function,
      p_target_type: query.target_type,
      p_target_id: query.target_id,
      p_actor: query.actor,
      p_from: query.from,
      p_to: query.to,
      p_page: query.page,
      p_limit: query.limit,
      p_cursor: query.cursor,
    }),
  }),
] as const;
