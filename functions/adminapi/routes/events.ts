import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { cursorPaging, id, idText, integerText, logOf, period, text, time } from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";

/** An event as the API shows it. */
export const event = z
  .strictObject({
    id: id.openapi({ description: "Identifies the event for ever. Not the order of reading." }),
    type: z.string().openapi({
      description: "What happened. docs/events.md lists the types; new ones may be added.",
      example: "commission.earned",
    }),
    version: z.int().openapi({ description: "Of the payload of the type. It rises if a key changes its meaning.", example: 1 }),
    subject: z.enum(VALUE_LISTS["event_types.subject"]),
    subject_id: z.int().openapi({
      description: "uid of a member, id of an order, withdrawal or adjustment, day of a release as YYYYMMDD.",
      example: 10001,
    }),
    uid: id.nullable().openapi({ description: "The member whom the event concerns. Null for a release, which concerns all." }),
    payload: z.record(z.string(), z.unknown()).openapi({
      description: "Ids, states, amounts and times, by the keys that docs/events.md lists for the type. Nothing personal.",
      example: { amount: "720.00", points: 720, cycle_no: 1, place: 1 },
    }),
    cause: z.enum(VALUE_LISTS["events.cause"]).openapi({
      description: "Who or what caused it: a person, a payment provider, a scheduled job; the settlement of an order, or a refund.",
    }),
    cause_id: id.nullable().openapi({ description: "The order or refund that caused it; null for another cause." }),
    add_time: time,
  })
  .openapi("Event");

export const eventRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/events",
    auth: "admin",
    tag: "System",
    summary: "The events after a cursor, for machines",
    description:
      "Reads on from where the last call ended, in an order that never changes. An event whose transaction is not finished is not read, and nothing that is committed later comes before what was read: a reader that follows next_cursor misses nothing and reads nothing twice. Events are kept for 90 days.",
    request: {
      query: z.strictObject({
        after: text(1, 64).optional().openapi({
          description: "next_cursor of the last call. Without it, reading begins at the oldest event.",
          example: "1_7305_120",
        }),
        limit: integerText(1, 1000).optional().openapi({ description: "100 by default." }),
      }),
    },
    response: z.strictObject({
      list: z.array(event),
      next_cursor: z.string().nullable().openapi({
        description: "For the next call, also if the list is empty; null only if there is no event at all.",
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
    summary: "Events, newest first",
    description: "What happened to a member, to an order or in the store within 90 days.",
    request: {
      query: cursorPaging.extend({
        type: text(1, 63).optional().openapi({ example: "order.paid" }),
        uid: idText.optional().openapi({ description: "The member whom the events concern." }),
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
