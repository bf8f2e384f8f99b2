import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { cursorPaging, id, logOf, money, period, points, text, time } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const targetType = z.enum([
  "adjustment",
  "administrator",
  "agent_levels",
  "article",
  "article_category",
  "carrier",
  "commission_plan",
  "crontab",
  "finding",
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
    actor: actor.openapi({
      description: bilingual(
        "The administrator. Null means the owner of the database.",
        "管理员；null 表示数据库所有者。",
      ),
    }),
    machine_key: z
      .strictObject({ id, name: z.string() })
      .nullable()
      .openapi({
        description: bilingual(
          "The machine key with which a program acted as the administrator. Null: the person did.",
          "程序以该管理员身份操作所用的机器密钥；null：由本人操作。",
        ),
      }),
    function: z.string().openapi({
      description: bilingual("The action: the name of the database function.", "操作：数据库函数的名称。"),
      example: "set_agent_level",
    }),
    target_type: targetType,
    target_id: z
      .string()
      .nullable()
      .openapi({
        description: bilingual(
          "uid of a member, id of an adjustment, invitation, machine key, order, picture, product, article, category, withdrawal or batch, code of a carrier, name of a scheduled job or a tool of an assistant, version of the plan or levels. Null for the settings and the first page of the app, and for a search that found no member.",
          "会员的 uid，调账、邀请、机器密钥、订单、图片、商品、文章、分类、提现或批次的 id，快递公司的代码，定时任务或 AI 助手工具的名称，方案或等级的版本。设置、商城首页，以及未找到会员的查找为 null。",
        ),
        example: "10001",
      }),
    subject: z
      .strictObject({
        name: z
          .string()
          .nullable()
          .openapi({
            description: bilingual(
              "Number or title; the id, if the target is no longer there.",
              "编号或标题；对象已不存在时为 id。",
            ),
          }),
        name_zh: z
          .string()
          .nullable()
          .openapi({ description: bilingual("Of a scheduled job or a carrier.", "定时任务或快递公司的中文名称。") }),
        uid: id.nullable().openapi({ description: bilingual("The member whose it is.", "所属的会员。") }),
        nickname: z.string().nullable(),
        amount: money
          .nullable()
          .openapi({ description: bilingual("Of an order, a withdrawal or a batch.", "订单、提现或批次的金额。") }),
      })
      .openapi({ description: bilingual("What the target is called now.", "对象当前的名称。") }),
    from: values.openapi({
      description: bilingual(
        "The changed values before the action; null for a new target. Only ids, states, amounts, tracking numbers, settings and levels.",
        "操作前被修改的值；新对象为 null。仅包含 id、状态、金额、运单号、设置与等级。",
      ),
      example: { agent_level: 1 },
    }),
    to: values.openapi({
      description: bilingual(
        'The changed values after the action; null for a deleted target. Names and texts appear only as "changed".',
        "操作后被修改的值；已删除的对象为 null。姓名与文字只显示为“changed”。",
      ),
      example: { agent_level: 2 },
    }),
    actor_earned: z
      .strictObject({ commission: money, points })
      .nullable()
      .openapi({
        description: bilingual(
          "For an action on an order: what the order has paid to the administrator's own member account so far, less reversals. Null if it paid nothing.",
          "对订单的操作：该订单至今为管理员本人的会员账号带来的所得，已扣除冲回。没有所得时为 null。",
        ),
      }),
    request_id: z
      .string()
      .nullable()
      .openapi({ description: bilingual("X-Request-Id of the request.", "该请求的 X-Request-Id。") }),
    add_time: time,
  })
  .openapi("AdminAction");

export const actionRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/action",
    auth: "admin",
    tag: "System",
    summary: bilingual("The actions of administrators, newest first", "管理员操作记录，最新的在前"),
    description: bilingual(
      "Every administrative write is one action. Filter by target_type and target_id to find the actions on one target.",
      "每次管理写入为一条操作。按 target_type 与 target_id 筛选某一对象的操作。",
    ),
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
      dropped_until: time.nullable().openapi({
        description: bilingual(
          "Actions before this time were exported and dropped; null if none were.",
          "此时间之前的操作记录已导出并删除；没有时为 null。",
        ),
      }),
    }),
    errors: ["actions_dropped"],
    calls: "get_actions",
    standby: true,
  }),
] as const;
