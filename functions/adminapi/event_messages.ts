import { z } from "@hono/zod-openapi";
import { EVENT_TYPES } from "../_shared/notices/event_types.ts";
import type { Message } from "../_shared/routes/route.ts";
import { money, points, time } from "../_shared/resources/schemas.ts";
import { event } from "./routes/events.ts";
import { bilingual } from "../_shared/words/bilingual.ts";

/** The form of each key that a payload of the catalogue can have, with an example. */
const KEYS: Record<(typeof EVENT_TYPES)[keyof typeof EVENT_TYPES]["keys"][number], z.ZodType> = {
  from_level: z.int().openapi({ example: 1 }),
  to_level: z.int().openapi({ example: 2 }),
  request_id: z.int().openapi({ example: 12 }),
  kind: z.string().openapi({ example: "copy" }),
  pay_price: money,
  parcel_id: z.int().openapi({ example: 40 }),
  expires_at: time.openapi({ example: "2026-10-01T08:10:00.000Z" }),
  amount: money.openapi({ example: "720.00" }),
  points: points.openapi({ example: 720 }),
  cycle_no: z.int().openapi({ example: 1 }),
  place: z.int().openapi({ example: 1 }),
  refund_id: z.int().openapi({ example: 9 }),
  has_reason: z.boolean().openapi({ example: true }),
  fee: money.openapi({ example: "1.00" }),
  tax: money.openapi({ example: "0.00" }),
  method: z.string().openapi({ example: "bank" }),
  brokerage: money.openapi({ example: "-20.00" }),
  frozen_points: points.openapi({ example: 0 }),
  available_points: points.openapi({ example: 50 }),
  release_date: z.iso.date().openapi({ example: "2026-10-01" }),
  users: z.int().openapi({ example: 8000 }),
};

const bodyOf = (type: string, data: z.ZodType) => z.strictObject({ type: z.literal(type), timestamp: time, data });

const ofEvents: Message[] = Object.entries(EVENT_TYPES).map(
  ([type, { keys, subject, version, title, description }]) => ({
    name: type,
    summary: title,
    description,
    body: bodyOf(
      type,
      z.strictObject({
        ...event.shape,
        type: z.literal(type),
        version: z.literal(version),
        subject: z.literal(subject),
        payload: z.strictObject(Object.fromEntries(keys.map((key) => [key, KEYS[key].optional()]))),
      }),
    ),
  }),
);

/** What the store posts to webhooks: a message for each type of event of the catalogue, the gap marker and the test. */
export const eventMessages: readonly Message[] = [
  ...ofEvents,
  {
    name: "webhook.gap",
    summary: bilingual("Event given up", "已放弃的事件"),
    description: bilingual(
      "An event of the subject could not be delivered for three days. This stands in its place.",
      "该对象的某个事件三天未能送达，以此消息代替。",
    ),
    body: bodyOf(
      "webhook.gap",
      z.strictObject({
        subject: event.shape.subject,
        subject_id: z.int(),
        event_id: z.int(),
        type: z.string().openapi({
          description: bilingual("Of the event that was given up.", "已放弃的事件的类型。"),
          example: "order.paid",
        }),
        webhook_id: z.string().openapi({
          description: bilingual("The header webhook-id that it had.", "其原请求头 webhook-id。"),
          example: "1_7305_120",
        }),
      }),
    ),
  },
  {
    name: "webhook.test",
    summary: bilingual("Test", "测试"),
    description: bilingual("An administrator tries the address.", "管理员正在测试该地址。"),
    body: bodyOf(
      "webhook.test",
      z.strictObject({ webhook: z.int().openapi({ description: bilingual("Its id.", "该 Webhook 的 id。") }) }),
    ),
  },
];
