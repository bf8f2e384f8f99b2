import { z } from "@hono/zod-openapi";
import { EVENT_TYPES, type EventType } from "../../_shared/notices/event_types.ts";
import { actor } from "../../_shared/resources/actions.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idPath, idText, listOf, paging, text, time, timestamp, visibleText } from "../../_shared/resources/schemas.ts";
import { createWebhook, rotateWebhookSecret } from "../webhook_secrets.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";

const eventType = z.enum(Object.keys(EVENT_TYPES) as [EventType, ...EventType[]]);

const address = text(1, 500)
  .refine(
    (value) => /^https:\/\/[^/?#@\s]+([/?][^#\s]*)?$/.test(value) && URL.canParse(value),
    "Expected an address that begins with https://, without a user and #.",
  )
  .openapi({ description: "Of the public Internet. Redirects are not followed.", example: "https://erp.example.com/store" });

const fields = {
  url: address,
  description: visibleText(64).openapi({ description: "Whose it is.", example: "ERP" }),
  types: z
    .array(eventType)
    .min(1)
    .max(100)
    .openapi({ description: "The types of events that it gets.", example: ["order.paid", "order.shipped"] }),
};

/** A webhook as administrators see it. */
const webhook = z
  .strictObject({
    id,
    url: z.string().openapi({ example: "https://erp.example.com/store" }),
    description: z.string().openapi({ example: "ERP" }),
    types: z.array(eventType),
    version: z.int().openapi({ description: "The form of the bodies that it gets.", example: 1 }),
    state: z.enum(VALUE_LISTS["webhooks.state"]).openapi({
      description:
        "on, or why nothing is sent: off (an administrator switched it off), gone (it answered with 410), failing (nothing that was sent succeeded for three days).",
    }),
    failing_since: time
      .nullable()
      .openapi({ description: "The first of the failures since the last success; null: the last attempt succeeded." }),
    secret_made_at: time,
    former_secret_ends_at: time.nullable().openapi({ description: "Until then the secret before signs, too; null: it does not." }),
    waiting: z.int().min(0).openapi({ description: "Deliveries that are still to be sent; 1000: that many, or more." }),
    created_by: actor,
    created_at: time,
  })
  .openapi("Webhook");

const withSecret = z.strictObject({
  secret: z.string().openapi({ description: "What verifies the signatures (docs/webhooks.md).", example: `whsec_${"A".repeat(43)}=` }),
  webhook,
});

const kind = z.enum(VALUE_LISTS["webhook_deliveries.kind"]);

/** A delivery as administrators see it. */
const delivery = z
  .strictObject({
    id,
    kind: kind.openapi({ description: "event; gap: says that an event of the subject was given up; test." }),
    type: z.string().openapi({ example: "order.paid" }),
    subject: z.enum(VALUE_LISTS["event_types.subject"]).nullable(),
    subject_id: z.int().nullable(),
    message_id: z.string().openapi({ description: "The header webhook-id.", example: "1_7305_120" }),
    body: z.string().openapi({ description: "As it is sent, always the same." }),
    state: z.enum(VALUE_LISTS["webhook_deliveries.state"]),
    attempts: z.int().min(0),
    run_after: time.nullable().openapi({ description: "When it is sent next; null: it is not." }),
    last_attempt_at: time.nullable(),
    ended_at: time.nullable(),
    status: z.int().nullable().openapi({ description: "The HTTP status of the last answer; null: there was none." }),
    response: z.string().nullable().openapi({ description: "The beginning of the last answer." }),
    problem: z.string().nullable().openapi({ description: "Why the last attempt failed; null: it did not." }),
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
    summary: "All webhooks, newest first",
    response: listOf(webhook),
    calls: "get_webhooks",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/webhook",
    auth: "admin",
    tag: "Webhooks",
    summary: "Make a webhook",
    description:
      "The events of the types are posted to the address from now on; section webhooks of this document has their bodies. The response is the only one that has the secret. Needs a second factor. Idempotency-Key is rejected.",
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
    summary: "A webhook",
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
    summary: "Change a webhook",
    description: "What waits goes to the address that it has then. Needs a second factor.",
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
    summary: "Switch a webhook on or off",
    description:
      "While it is off, it gets no events, and a replay sends them later. What had waited before is sent when it is on again. Switching on needs a second factor.",
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
    summary: "Give a webhook another secret",
    description:
      "For some hours, each message has a signature of both secrets. The response is the only one that has the secret. Needs a second factor. Idempotency-Key is rejected.",
    request: {
      path: idPath,
      body: z.strictObject({
        hours: z.int().min(0).max(168).optional().openapi({ description: "For how long the secret before signs, too. Without it, 24." }),
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
    summary: "Delete a webhook and its deliveries",
    description: "Also those that wait. Needs a second factor.",
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
    summary: "Send a test to a webhook",
    description: "Once, also to one that is off. The list of deliveries says what came of it.",
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
    summary: "The deliveries of a webhook, newest first",
    description: "With what is sent, and what the receiver answered last. They are kept for 30 days after they ended.",
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
    summary: "Send a delivery again",
    description: "With the same id and body. One that waits is sent at once.",
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
    summary: "How many events a replay would send",
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
    summary: "Send the events of a period again",
    description:
      "At most 10,000, those that were never sent to this webhook, too. The caller says how many there are, as the preview has counted them.",
    request: { path: idPath, body: z.strictObject({ ...replayed, events: z.int().min(0).max(10_000) }) },
    response: eventCount,
    errors: ["webhook_not_found", "changed_meanwhile"],
    calls: "replay_webhook",
    afterwards: ({ work }) => work(),
  }),
] as const;
