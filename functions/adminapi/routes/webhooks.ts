import { z } from "@hono/zod-openapi";
import { EVENT_TYPES, type EventType } from "../../_shared/notices/event_types.ts";
import { actor } from "../../_shared/resources/actions.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  id,
  idPath,
  idText,
  listOf,
  paging,
  text,
  time,
  timestamp,
  visibleText,
} from "../../_shared/resources/schemas.ts";
import { createWebhook, rotateWebhookSecret } from "../webhook_secrets.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const eventType = z.enum(Object.keys(EVENT_TYPES) as [EventType, ...EventType[]]);

const address = text(1, 500)
  .refine(
    (value) => /^https:\/\/[^/?#@\s]+([/?][^#\s]*)?$/.test(value) && URL.canParse(value),
    "Expected an address that begins with https://, without a user and #.",
  )
  .openapi({
    description: bilingual("Of the public Internet. Redirects are not followed.", "公网地址；不跟随重定向。"),
    example: "https://erp.example.com/store",
  });

const fields = {
  url: address,
  description: visibleText(64).openapi({ description: bilingual("Whose it is.", "所属的系统。"), example: "ERP" }),
  types: z
    .array(eventType)
    .min(1)
    .max(100)
    .openapi({
      description: bilingual("The types of events that it gets.", "接收的事件类型。"),
      example: ["order.paid", "order.shipped"],
    }),
};

/** A webhook as administrators see it. */
const webhook = z
  .strictObject({
    id,
    url: z.string().openapi({ example: "https://erp.example.com/store" }),
    description: z.string().openapi({ example: "ERP" }),
    types: z.array(eventType),
    version: z.int().openapi({
      description: bilingual("The form of the bodies that it gets.", "接收的请求体的格式版本。"),
      example: 1,
    }),
    state: z.enum(VALUE_LISTS["webhooks.state"]).openapi({
      description: bilingual(
        "on, or why nothing is sent: off (an administrator switched it off), gone (it answered with 410), failing (nothing that was sent succeeded for three days).",
        "on，或不推送的原因：off（管理员已停用）、gone（地址应答 410）、failing（连续三天推送失败）。",
      ),
    }),
    failing_since: time.nullable().openapi({
      description: bilingual(
        "The first of the failures since the last success; null: the last attempt succeeded.",
        "最近一次成功之后首次失败的时间；null：最近一次推送成功。",
      ),
    }),
    secret_made_at: time,
    former_secret_ends_at: time.nullable().openapi({
      description: bilingual(
        "Until then the secret before signs, too; null: it does not.",
        "旧密钥在此之前同样签名；null：不再签名。",
      ),
    }),
    waiting: z
      .int()
      .min(0)
      .openapi({
        description: bilingual(
          "Deliveries that are still to be sent; 1000: that many, or more.",
          "待推送的数量；1000：不少于此数。",
        ),
      }),
    created_by: actor,
    created_at: time,
  })
  .openapi("Webhook");

const withSecret = z.strictObject({
  secret: z.string().openapi({
    description: bilingual("What verifies the signatures (docs/webhooks.md).", "用于验证签名（docs/webhooks.md）。"),
    example: `whsec_${"A".repeat(43)}=`,
  }),
  webhook,
});

const kind = z.enum(VALUE_LISTS["webhook_deliveries.kind"]);

/** A delivery as administrators see it. */
const delivery = z
  .strictObject({
    id,
    kind: kind.openapi({
      description: bilingual(
        "event; gap: says that an event of the subject was given up; test.",
        "event：事件；gap：告知该对象有事件已放弃推送；test：测试。",
      ),
    }),
    type: z.string().openapi({ example: "order.paid" }),
    subject: z.enum(VALUE_LISTS["event_types.subject"]).nullable(),
    subject_id: z.int().nullable(),
    message_id: z
      .string()
      .openapi({ description: bilingual("The header webhook-id.", "请求头 webhook-id。"), example: "1_7305_120" }),
    body: z.string().openapi({ description: bilingual("As it is sent, always the same.", "推送的内容，始终不变。") }),
    state: z.enum(VALUE_LISTS["webhook_deliveries.state"]),
    attempts: z.int().min(0),
    run_after: time.nullable().openapi({
      description: bilingual("When it is sent next; null: it is not.", "下次推送的时间；null：不再推送。"),
    }),
    last_attempt_at: time.nullable(),
    ended_at: time.nullable(),
    status: z
      .int()
      .nullable()
      .openapi({
        description: bilingual(
          "The HTTP status of the last answer; null: there was none.",
          "最近一次响应的 HTTP 状态；null：没有响应。",
        ),
      }),
    response: z
      .string()
      .nullable()
      .openapi({ description: bilingual("The beginning of the last answer.", "最近一次响应的开头。") }),
    problem: z
      .string()
      .nullable()
      .openapi({
        description: bilingual(
          "Why the last attempt failed; null: it did not.",
          "最近一次推送失败的原因；null：没有失败。",
        ),
      }),
    created_at: time,
  })
  .openapi("WebhookDelivery");

const replayed = { from: timestamp, to: timestamp.openapi({ example: "2026-11-01T00:00:00+08:00" }) };
const eventCount = z.strictObject({ events: z.int().min(0).max(10_000) });

export const webhookRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/webhook",
    auth: "admin",
    tag: "Webhooks",
    summary: bilingual("All webhooks, newest first", "全部 Webhook，最新的在前"),
    response: listOf(webhook),
    calls: "get_webhooks",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/webhook",
    auth: "admin",
    tag: "Webhooks",
    summary: bilingual("Make a webhook", "添加 Webhook"),
    description: bilingual(
      "The events of the types are posted to the address from now on; section webhooks of this document has their bodies. The response is the only one that has the secret. Needs a second factor. Idempotency-Key is rejected.",
      "此后将所选类型的事件推送到该地址；请求体见本文档的 webhooks 部分。只有本次响应包含密钥。需要第二重验证。不接受 Idempotency-Key。",
    ),
    request: { body: z.strictObject(fields) },
    status: 201,
    response: withSecret,
    errors: ["webhooks_not_configured"],
    calls: "create_webhook",
    handler: createWebhook,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/webhook/{id}",
    auth: "admin",
    tag: "Webhooks",
    summary: bilingual("A webhook", "单个 Webhook"),
    request: { path: idPath },
    response: webhook,
    errors: ["webhook_not_found"],
    calls: "get_webhook",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/webhook/{id}",
    auth: "admin",
    tag: "Webhooks",
    summary: bilingual("Change a webhook", "修改 Webhook"),
    description: bilingual(
      "What waits goes to the address that it has then. Needs a second factor.",
      "等待推送的事件将发往修改后的地址。需要第二重验证。",
    ),
    request: { path: idPath, body: z.strictObject(fields) },
    response: webhook,
    errors: ["webhook_not_found"],
    calls: "set_webhook",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/webhook/{id}/state",
    auth: "admin",
    tag: "Webhooks",
    summary: bilingual("Switch a webhook on or off", "启用或停用 Webhook"),
    description: bilingual(
      "While it is off, it gets no events, and a replay sends them later. What had waited before is sent when it is on again. Switching on needs a second factor.",
      "停用期间不接收事件，之后可补发。停用前等待推送的事件在重新启用后推送。启用需要第二重验证。",
    ),
    request: { path: idPath, body: z.strictObject({ on: z.boolean() }) },
    response: webhook,
    errors: ["webhook_not_found"],
    calls: "switch_webhook",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/webhook/{id}/secret",
    auth: "admin",
    tag: "Webhooks",
    summary: bilingual("Give a webhook another secret", "更换 Webhook 的密钥"),
    description: bilingual(
      "For some hours, each message has a signature of both secrets. The response is the only one that has the secret. Needs a second factor. Idempotency-Key is rejected.",
      "在若干小时内，每条消息同时带有新旧两个密钥的签名。只有本次响应包含密钥。需要第二重验证。不接受 Idempotency-Key。",
    ),
    request: {
      path: idPath,
      body: z.strictObject({
        hours: z
          .int()
          .min(0)
          .max(168)
          .optional()
          .openapi({
            description: bilingual(
              "For how long the secret before signs, too. Without it, 24.",
              "旧密钥继续签名的小时数；不提供时为 24。",
            ),
          }),
      }),
    },
    response: withSecret,
    errors: ["webhook_not_found", "webhooks_not_configured"],
    calls: "rotate_webhook_secret",
    handler: rotateWebhookSecret,
  }),
  defineRoute({
    method: "delete",
    path: "/adminapi/webhook/{id}",
    auth: "admin",
    tag: "Webhooks",
    summary: bilingual("Delete a webhook and its deliveries", "删除 Webhook 及其推送记录"),
    description: bilingual("Also those that wait. Needs a second factor.", "包括等待推送的记录。需要第二重验证。"),
    request: { path: idPath },
    response: z.null(),
    errors: ["webhook_not_found"],
    calls: "delete_webhook",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/webhook/{id}/test",
    auth: "admin",
    tag: "Webhooks",
    summary: bilingual("Send a test to a webhook", "向 Webhook 发送测试消息"),
    description: bilingual(
      "Once, also to one that is off. The list of deliveries says what came of it.",
      "只发送一次，已停用的也可发送。结果见推送记录。",
    ),
    request: { path: idPath },
    response: delivery,
    errors: ["webhook_not_found"],
    calls: "test_webhook",
    afterwards: ({ work }) => work(),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/webhook/{id}/delivery",
    auth: "admin",
    tag: "Webhooks",
    summary: bilingual("The deliveries of a webhook, newest first", "Webhook 的推送记录，最新的在前"),
    description: bilingual(
      "With what is sent, and what the receiver answered last. They are kept for 30 days after they ended.",
      "包含推送内容与接收方最近一次的应答。结束后保留 30 天。",
    ),
    request: {
      path: idPath,
      query: paging.extend({
        state: z.enum(VALUE_LISTS["webhook_deliveries.state"]).optional(),
        type: text(1, 63).optional().openapi({ example: "order.paid" }),
      }),
    },
    response: listOf(delivery),
    errors: ["webhook_not_found"],
    calls: "get_webhook_deliveries",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/webhook/{id}/delivery/{delivery}/again",
    auth: "admin",
    tag: "Webhooks",
    summary: bilingual("Send a delivery again", "重新推送"),
    description: bilingual(
      "With the same id and body. One that waits is sent at once.",
      "编号与请求体不变。等待中的立即推送。",
    ),
    request: { path: z.strictObject({ id: idText, delivery: idText }) },
    response: delivery,
    errors: ["webhook_not_found", "delivery_not_found"],
    calls: "resend_webhook_delivery",
    afterwards: ({ work }) => work(),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/webhook/{id}/replay",
    auth: "admin",
    tag: "Webhooks",
    summary: bilingual("How many events a replay would send", "补发将推送多少个事件"),
    request: { path: idPath, query: z.strictObject(replayed) },
    response: eventCount,
    errors: ["webhook_not_found"],
    calls: "preview_webhook_replay",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/webhook/{id}/replay",
    auth: "admin",
    tag: "Webhooks",
    summary: bilingual("Send the events of a period again", "补发一段时间内的事件"),
    description: bilingual(
      "At most 10,000, those that were never sent to this webhook, too. The caller says how many there are, as the preview has counted them.",
      "最多 10,000 个，包括从未推送给该 Webhook 的事件。调用方须给出预览所统计的数量。",
    ),
    request: { path: idPath, body: z.strictObject({ ...replayed, events: z.int().min(0).max(10_000) }) },
    response: eventCount,
    errors: ["webhook_not_found", "changed_meanwhile"],
    calls: "replay_webhook",
    afterwards: ({ work }) => work(),
  }),
] as const;
