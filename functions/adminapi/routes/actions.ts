import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { cursorPaging, id, logOf, money, period, points, text, time } from "../../_shared/resources/schemas.ts";

const targetType = z.enum([
  "adjustment",
  "administrator",
  "agent_levels",
  "article",
  "article_category",
  "carrier",
  "commission_plan",
  "crontab",
  "first_page",
  "invitation",
  "machine_key",
  "webhook",
  "member",
  "month",
  "order",
  "outbox",
  "person_request",
  "picture",
  "product",
  "product_category",
  "settings",
  "tool",
  "withdrawal",
  "withdrawal_batch",
]);

const values = z.record(z.string(), z.unknown()).nullable();

const action = z
  .strictObject({
    id,
    actor: actor.openapi({ description: "The administrator. Null means the owner of the database." }),
    machine_key: z
      .strictObject({ id, name: z.string() })
      .nullable()
      .openapi({ description: "The machine key with which a program acted as the administrator. Null: the person did." }),
    function: z.string().openapi({ description: "The action: the name of the database function.", example: "set_agent_level" }),
    target_type: targetType,
    target_id: z.string().nullable().openapi({
      description:
        "uid of a member, id of an adjustment, invitation, machine key, order, picture, product, article, category, withdrawal or batch, code of a carrier, name of a scheduled job or a tool of an assistant, version of the plan or levels. Null for the settings and the first page of the app, and for a search that found no member.",
      example: "10001",
    }),
    subject: z
      .strictObject({
        name: z.string().nullable().openapi({ description: "Number or title; the id, if the target is no longer there." }),
        name_zh: z.string().nullable().openapi({ description: "Of a scheduled job or a carrier." }),
        uid: id.nullable().openapi({ description: "The member whose it is." }),
        nickname: z.string().nullable(),
        amount: money.nullable().openapi({ description: "Of an order, a withdrawal or a batch." }),
      })
      .openapi({ description: "What the target is called now." }),
    from: values.openapi({
      description:
        "The changed values before the action; null for a new target. Only ids, states, amounts, tracking numbers, settings and levels.",
      example: { agent_level: 1 },
    }),
    to: values.openapi({
      description: 'The changed values after the action; null for a deleted target. Names and texts appear only as "changed".',
      example: { agent_level: 2 },
    }),
    actor_earned: z.strictObject({ commission: money, points }).nullable().openapi({
      description:
        "For an action on an order: what the order has paid to the administrator's own member account so far, less reversals. Null if it paid nothing.",
    }),
    request_id: z.string().nullable().openapi({ description: "X-Request-Id of the request." }),
    add_time: time,
  })
  .openapi("AdminAction");

export const actionRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/action",
    auth: "admin",
    tag: "System",
    summary: "The actions of administrators, newest first",
    description: "Every administrative write is one action. Filter by target_type and target_id to find the actions on one target.",
    request: {
      query: cursorPaging.extend({
        function: text(1, 63).optional().openapi({ example: "set_settings" }),
        target_type: targetType.optional(),
        target_id: text(1, 255).optional().openapi({ example: "1" }),
        actor: z.uuid().optional().openapi({ description: "auth_id of the administrator." }),
        ...period,
      }),
    },
    response: logOf(action).extend({
      dropped_until: time.nullable().openapi({ description: "Actions before this time were exported and dropped; null if none were." }),
    }),
    errors: ["actions_dropped"],
    calls: "get_actions",
    standby: true,
  }),
] as const;
