import { z } from "@hono/zod-openapi";
import { nextLevel } from "../../_shared/resources/levels.ts";
import { teamFields } from "../../_shared/resources/team.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { cursorPaging, flagText, id, integerText, money, points, text, time } from "../../_shared/resources/schemas.ts";

const summary = teamFields
  .extend({
    commission: z
      .strictObject({ today: money, month: money, total: money })
      .openapi({ description: "Commission of this business day, this month and in all, less what refunds took back in that time." }),
    next_level: nextLevel,
  })
  .openapi("TeamSummary");

const person = z
  .strictObject({
    uid: id,
    nickname: z.string(),
    avatar: z.string().nullable(),
    agent_level: z.int().min(0),
    agent_level_name: z.string(),
    joined: time,
    orders: z.int().min(0).openapi({ description: "Reported orders that this member placed." }),
    members: z.int().min(0).openapi({ description: "Members below this member, at any depth." }),
  })
  .openapi("TeamMember");

const teamOrder = z
  .strictObject({
    order_id: id,
    uid: id.openapi({ description: "The buyer." }),
    nickname: z.string(),
    avatar: z.string().nullable(),
    is_direct: z.boolean().openapi({ description: "Whether the member is the buyer's referrer." }),
    paid_at: time,
    settled_at: time,
    base: money.openapi({ description: "What was paid for queue goods, less refunds." }),
    units: z.int().min(0),
    refund_status: z.int().min(0).max(3).openapi({ description: "0 none, 1 requested, 2 refunded, 3 partly refunded." }),
    commission: money.openapi({ description: "What the order paid the member, less reversals." }),
    points,
    counts: z.boolean().openapi({ description: "Whether the order counts for the member's tasks." }),
  })
  .openapi("TeamOrder");

const SORTABLE = ["joined", "nickname", "agent_level", "orders", "members"] as const;
const sort = z.enum([...SORTABLE, ...SORTABLE.map((column) => `-${column}` as const)]);

/** A page of a list without a count: it may be short although others follow. */
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    list: z.array(item),
    next_cursor: z
      .string()
      .nullable()
      .openapi({ description: "Null at the end. A page before the end may be shorter than `limit`, or empty." }),
  });

const { limit, cursor } = cursorPaging.shape;

export const teamRoutes = [
  defineRoute({
    method: "get",
    path: "/api/spread/summary",
    auth: "user",
    tag: "Team",
    summary: "The member's team, commission and next level",
    response: summary,
    calls: "get_team_summary",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/spread/people",
    auth: "user",
    tag: "Team",
    summary: "The members below the member",
    request: {
      query: z.strictObject({
        depth: z.enum(["direct", "umbrella"]).optional().openapi({
          description: "direct: members whom the member referred. umbrella: all members below, at any depth.",
          default: "direct",
        }),
        keyword: text(1, 64).optional().openapi({ example: "Chen", description: "A part of the nickname, or a uid." }),
        sort: sort
          .optional()
          .openapi({ description: "A leading - sorts descending. With depth umbrella: joined or -joined.", default: "-joined" }),
        one_order_away: flagText.optional().openapi({
          description:
            "Only members whom the next order can raise to the next level, at best the first one of a new direct member of theirs.",
          default: false,
        }),
        cursor: text(1, 600).optional().openapi({
          example: "10007__",
          description: "next_cursor of the previous page, with the same depth, keyword, sort and one_order_away.",
        }),
        limit: integerText(1, 100).optional().openapi({ default: 20 }),
      }),
    },
    response: pageOf(person).extend({ as_of: teamFields.shape.as_of }),
    calls: "get_team_people",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/spread/order",
    auth: "user",
    tag: "Team",
    summary: "Orders below the member that paid the member or count for the member's tasks, latest payment first",
    request: { query: z.strictObject({ cursor, limit }) },
    response: pageOf(teamOrder),
    calls: "get_team_orders",
    standby: true,
  }),
] as const;
