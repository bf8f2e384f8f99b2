import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { cursorPaging, id, idText, integerText, logOf, period, text, time } from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

/** An event as the API shows it. */
export const event = z
  .strictObject({
    id: id.openapi({
      description: bilingual(
        "Identifies the event for ever. Not the order of reading.",
        "事件的永久标识，不表示读取顺序。",
      ),
    }),
    type: z.string().openapi({
      description: bilingual(
        "What happened. docs/events.md lists the types; new ones may be added.",
        "发生的事件。类型见 docs/events.md，今后可能增加。",
      ),
      example: "commission.earned",
    }),
    version: z.int().openapi({
      description: bilingual(
        "Of the payload of the type. It rises if a key changes its meaning.",
        "该类型 payload 的版本；键的含义改变时递增。",
      ),
      example: 1,
    }),
    subject: z.enum(VALUE_LISTS["event_types.subject"]),
    subject_id: z.int().openapi({
      description: "uid of a member, id of an order, withdrawal or adjustment, day of a release as YYYYMMDD.",
      example: 10001,
    }),
    uid: id.nullable().openapi({
      description: bilingual(
        "The member whom the event concerns. Null for a release, which concerns all.",
        "事件所涉及的会员；积分释放涉及全部会员，为 null。",
      ),
    }),
    payload: z.record(z.string(), z.unknown()).openapi({
      description: bilingual(
        "Ids, states, amounts and times, by the keys that docs/events.md lists for the type. Nothing personal.",
        "id、状态、金额与时间，键见 docs/events.md 中该类型的说明。不含个人信息。",
      ),
      example: { amount: "720.00", points: 720, cycle_no: 1, place: 1 },
    }),
    cause: z.enum(VALUE_LISTS["events.cause"]).openapi({
      description: bilingual(
        "Who or what caused it: a person, a payment provider, a scheduled job; the settlement of an order, or a refund.",
        "引起事件的一方：人、支付机构、定时任务，或订单的结算、退款。",
      ),
    }),
    cause_id: id.nullable().openapi({
      description: bilingual(
        "The order or refund that caused it; null for another cause.",
        "引起事件的订单或退款；其他原因为 null。",
      ),
    }),
    add_time: time,
  })
  .openapi("Event");

export const eventRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/events",
    auth: "admin",
    tag: "System",
    summary: bilingual("The events after a cursor, for machines", "游标之后的事件，供程序读取"),
    description: bilingual(
      "Reads on from where the last call ended, in an order that never changes. An event whose transaction is not finished is not read, and nothing that is committed later comes before what was read: a reader that follows next_cursor misses nothing and reads nothing twice. Events are kept for 90 days.",
      "从上次调用结束处继续读取，顺序不变。未完成事务的事件不会被读取，之后提交的事件也不会排在已读事件之前：跟随 next_cursor 即不遗漏、不重复。事件保留 90 天。",
    ),
    request: {
      query: z.strictObject({
        after: text(1, 64)
          .optional()
          .openapi({
            description: bilingual(
              "next_cursor of the last call. Without it, reading begins at the oldest event.",
              "上次调用的 next_cursor；不提供时从最早的事件读起。",
            ),
            example: "1_7305_120",
          }),
        limit: integerText(1, 1000)
          .optional()
          .openapi({ description: bilingual("100 by default.", "默认为 100。") }),
      }),
    },
    response: z.strictObject({
      list: z.array(event),
      next_cursor: z
        .string()
        .nullable()
        .openapi({
          description: bilingual(
            "For the next call, also if the list is empty; null only if there is no event at all.",
            "供下次调用使用，列表为空时也有；仅在没有任何事件时为 null。",
          ),
          example: "1_7305_120",
        }),
    }),
    errors: [],
    calls: "get_event_feed",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/event",
    auth: "admin",
    tag: "System",
    summary: bilingual("Events, newest first", "事件，最新的在前"),
    description: bilingual(
      "What happened to a member, to an order or in the store within 90 days.",
      "90 天内会员、订单或商城发生的事件。",
    ),
    request: {
      query: cursorPaging.extend({
        type: text(1, 63).optional().openapi({ example: "order.paid" }),
        uid: idText
          .optional()
          .openapi({ description: bilingual("The member whom the events concern.", "事件所涉及的会员。") }),
        order_id: idText.optional(),
        ...period,
      }),
    },
    response: logOf(event),
    errors: [],
    calls: "get_events",
    standby: true,
  }),
] as const;
