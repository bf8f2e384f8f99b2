import { z } from "@hono/zod-openapi";
import { nextLevel } from "../../_shared/resources/levels.ts";
import { teamFields } from "../../_shared/resources/team.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  cursorPaging,
  flagText,
  id,
  integerText,
  money,
  points,
  sortBy,
  text,
  time,
} from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const summary = teamFields
  .extend({
    commission: z.strictObject({ today: money, month: money, total: money }).openapi({
      description: bilingual(
        "Commission of this business day, this month and in all, less what refunds took back in that time.",
        "本营业日、本月与累计的佣金，已减去相应时间内退款冲回的金额。",
      ),
    }),
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
    orders: z
      .int()
      .min(0)
      .openapi({ description: bilingual("Reported orders that this member placed.", "该会员本人的报单。") }),
    members: z
      .int()
      .min(0)
      .openapi({ description: bilingual("Members below this member, at any depth.", "该会员的伞下会员，不限层数。") }),
  })
  .openapi("TeamMember");

const teamOrder = z
  .strictObject({
    order_id: id,
    uid: id.openapi({ description: "The buyer." }),
    nickname: z.string(),
    avatar: z.string().nullable(),
    is_direct: z
      .boolean()
      .openapi({ description: bilingual("Whether the member is the buyer's referrer.", "该会员是否为买家的推荐人。") }),
    paid_at: time,
    settled_at: time,
    base: money.openapi({
      description: bilingual("What was paid for queue goods, less refunds.", "报单商品的实付金额，已减去退款。"),
    }),
    units: z.int().min(0),
    refund_status: z
      .int()
      .min(0)
      .max(3)
      .openapi({ description: "0 none, 1 requested, 2 refunded, 3 partly refunded." }),
    commission: money.openapi({
      description: bilingual("What the order paid the member, less reversals.", "该订单为会员带来的所得，已扣除冲回。"),
    }),
    points,
    counts: z.boolean().openapi({
      description: bilingual("Whether the order counts for the member's tasks.", "该订单是否计入会员的考核任务。"),
    }),
  })
  .openapi("TeamOrder");

/** A page of a list without a count: it may be short although others follow. */
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    list: z.array(item),
    next_cursor: z
      .string()
      .nullable()
      .openapi({
        description: bilingual(
          "Null at the end. A page before the end may be shorter than `limit`, or empty.",
          "最后一页为 null。此前的页可能少于 `limit`，也可能为空。",
        ),
      }),
  });

const { limit, cursor } = cursorPaging.shape;

export const teamRoutes = [
  defineRoute({
    method: "get",
    path: "/api/spread/summary",
    auth: "user",
    tag: "Team",
    summary: bilingual("The member's team, commission and next level", "会员的团队、佣金与下一等级"),
    response: summary,
    calls: "get_team_summary",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/spread/people",
    auth: "user",
    tag: "Team",
    summary: bilingual("The members below the member", "会员的伞下会员"),
    request: {
      query: z.strictObject({
        depth: z
          .enum(["direct", "umbrella"])
          .optional()
          .openapi({
            description: bilingual(
              "direct: members whom the member referred. umbrella: all members below, at any depth.",
              "direct：直推会员。umbrella：伞下全部会员，不限层数。",
            ),
            default: "direct",
          }),
        keyword: text(1, 64)
          .optional()
          .openapi({
            example: "Chen",
            description: bilingual("A part of the nickname, or a uid.", "昵称的一部分，或 uid。"),
          }),
        sort: sortBy("get_team_people").openapi({
          description: bilingual(
            "A leading - sorts descending. With depth umbrella: joined or -joined.",
            "以 - 开头为降序。depth 为 umbrella 时，只能为 joined 或 -joined。",
          ),
        }),
        one_order_away: flagText.optional().openapi({
          description: bilingual(
            "Only members whom the next order can raise to the next level, at best the first one of a new direct member of theirs.",
            "仅再有一单即可升级的会员：伞下的下一笔订单（最有利时为新直推会员的首单）可使其升级。",
          ),
          default: false,
        }),
        cursor: text(1, 600)
          .optional()
          .openapi({
            example: "10007__",
            description: bilingual(
              "next_cursor of the previous page, with the same depth, keyword, sort and one_order_away.",
              "上一页的 next_cursor；depth、keyword、sort 与 one_order_away 须相同。",
            ),
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
    summary: bilingual(
      "Orders below the member that paid the member or count for the member's tasks, latest payment first",
      "为会员带来佣金或计入其考核任务的伞下订单，最近付款的在前",
    ),
    request: { query: z.strictObject({ cursor, limit }) },
    response: pageOf(teamOrder),
    calls: "get_team_orders",
    standby: true,
  }),
] as const;
