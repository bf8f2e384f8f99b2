import { z } from "@hono/zod-openapi";
import { planReach, planSettings } from "../../_shared/resources/plans.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  id,
  integerText,
  leftAt,
  listOf,
  money,
  paging,
  points,
  sortBy,
  time,
  uidPath,
} from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const count = z.int().min(0);
const share = z.number().min(0).max(1).nullable();
const asOf = time.openapi({
  description: bilingual("The members below are those of this time.", "伞下会员按此时间统计。"),
});
const shownDepth = z
  .int()
  .min(1)
  .openapi({ description: "1 is that of the direct members. 100 stands for depth 100 and deeper." });

/** What members earned at a depth, less reversals. */
const earned = {
  commission: money,
  commission_points: points.openapi({
    description: bilingual("Frozen points that came with the commission.", "随佣金发放的冻结积分。"),
  }),
  direct_points: points,
  umbrella_points: points,
};
const unknownDepth = bilingual(
  "Null, the last one: from buyers who are no longer below, after a correction by hand.",
  "最后一项为 null：来自人工更正推荐关系后已不在其伞下的买家。",
);

const above = {
  people: count.openapi({ description: bilingual("At least so many members below.", "伞下人数不少于此值。") }),
  members: count,
};

const deepest = z.strictObject({ depth: z.int().min(1), uid: id, nickname: z.string(), order_id: id }).openapi({
  description: bilingual(
    "The deepest payment, to whom, and the latest such order.",
    "最深的一次发放：发放给谁，以及最近一笔这样的订单。",
  ),
});

const network = z
  .strictObject({
    as_of: asOf,
    referrers: count.openapi({
      description: bilingual("Members with at least one member below.", "伞下至少有一名会员的会员数。"),
    }),
    depth: count.openapi({
      description: bilingual("The greatest depth of members below a member.", "会员的伞下最深层数。"),
    }),
    people: count.openapi({ description: bilingual("The threshold of members below.", "伞下人数的条件。") }),
    from_depth: z
      .int()
      .min(1)
      .openapi({ description: bilingual("The threshold of the depth.", "层数的条件。") }),
    above: count.openapi({
      description: bilingual("Members who reach both thresholds.", "同时达到两项条件的会员数。"),
    }),
    presets: z
      .array(
        z.strictObject({
          ...above,
          depth: z
            .int()
            .min(1)
            .openapi({ description: bilingual("With members at this depth below them.", "伞下会员达到此层数。") }),
        }),
      )
      .openapi({
        description: bilingual("Members who reach thresholds that are often asked for.", "达到常用条件的会员数。"),
      }),
    plan: z
      .strictObject({
        ...planReach.shape,
        ...planSettings.pick({ brokerage_scope: true, max_depth: true, payout_cap: true }).shape,
        version: z.int().min(1),
      })
      .openapi({ description: bilingual("Up to which depth the plan in force pays.", "现行方案最多发放到第几层。") }),
    eligibility: z
      .strictObject({
        earners: count.openapi({
          description: bilingual("Members who have ever earned a commission.", "获得过佣金的会员数。"),
        }),
        with_one_order: count.openapi({
          description: bilingual(
            "Those who have paid for one order only: the one that made them eligible (R4).",
            "其中只付款购买过一笔订单的会员数，即使其符合条件的那一笔（R4）。",
          ),
        }),
        share,
      })
      .openapi({
        description: bilingual("Buying is a condition to earn commission (R4).", "购买是获得佣金的条件（R4）。"),
      }),
  })
  .openapi("Network");

const networkPaid = z
  .strictObject({
    deepest: z.strictObject({ commission: deepest.optional(), points: deepest.optional() }).openapi({
      description: bilingual(
        "The deepest commission and the deepest points by level that were ever paid. What was never paid is omitted.",
        "历史上佣金与等级积分发放的最深层数；从未发放的省略。",
      ),
    }),
    days: z.int().min(1),
    from: time.openapi({
      description: bilingual("The beginning of the days that depths sums.", "depths 所合计日期的开始。"),
    }),
    depths: z
      .array(z.strictObject({ depth: shownDepth.nullable().openapi({ description: unknownDepth }), ...earned }))
      .openapi({
        description: bilingual(
          "What was booked in the last days at each depth, less reversals, nearest first.",
          "最近若干天各层的入账，已扣除冲回，层数小的在前。",
        ),
      }),
  })
  .openapi("NetworkPaid");

const networkMember = z
  .strictObject({
    uid: id,
    nickname: z.string(),
    agent_level: count,
    agent_level_name: z.string(),
    people: count.openapi({ description: "Members below, at any depth." }),
    direct_members: count,
    depth: z
      .int()
      .min(1)
      .openapi({ description: bilingual("The greatest depth of a member below.", "该会员伞下的最深层数。") }),
    total_brokerage: money,
    left_at: leftAt,
  })
  .openapi("NetworkMember");

const memberNetwork = z
  .strictObject({
    as_of: asOf,
    people: count.openapi({ description: "Members below, at any depth." }),
    depth: count.openapi({
      description: bilingual(
        "The greatest depth of a member below, up to 100.",
        "该会员伞下的最深层数，最多计到 100。",
      ),
    }),
    own_sales: z.strictObject({ commission: share, points: share }).openapi({
      description: bilingual(
        "The share of what orders brought that came from depth 1. Null if they brought nothing.",
        "订单带来的所得中来自第 1 层的占比；没有所得时为 null。",
      ),
    }),
    depths: z
      .array(
        z.strictObject({
          depth: shownDepth.nullable().openapi({ description: unknownDepth }),
          people: count,
          ...earned,
        }),
      )
      .openapi({ description: bilingual("Nearest first.", "层数小的在前。") }),
  })
  .openapi("MemberNetwork");

const branchMember = z
  .strictObject({
    uid: id,
    nickname: z.string(),
    agent_level: count,
    agent_level_name: z.string(),
    own_orders: count.openapi({ description: bilingual("Their own reported orders.", "该会员本人的报单数。") }),
    direct_members: count,
    people: count.openapi({ description: "Members below, at any depth." }),
    left_at: leftAt,
  })
  .openapi("BranchMember");

const thresholds = z.strictObject({
  people: integerText(1, 1_000_000)
    .optional()
    .openapi({
      description: bilingual(
        "At least so many members below. By default, that of the settings.",
        "伞下人数不少于此值，默认取设置中的值。",
      ),
    }),
  depth: integerText(1, 1000)
    .optional()
    .openapi({
      description: bilingual(
        "With members at this depth. By default, that of the settings.",
        "伞下会员达到此层数，默认取设置中的值。",
      ),
    }),
});

export const networkRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/network",
    auth: "admin",
    tag: "Network",
    summary: bilingual(
      "The shape of the network: how deep it is, and how deep the plan pays",
      "团队结构：最深的层数，以及方案发放到的层数",
    ),
    description: bilingual(
      "States facts. Which of them matter is the decision of the owner of the store.",
      "只陈述事实；其重要性由商城所有者判断。",
    ),
    request: { query: thresholds },
    response: network,
    calls: "get_network",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/network/paid",
    auth: "admin",
    tag: "Network",
    summary: bilingual(
      "How deep orders have ever paid, and what was paid at each depth in the last days",
      "订单历来发放到的层数，以及最近若干天各层的发放",
    ),
    response: networkPaid,
    calls: "get_network_paid",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/network/member",
    auth: "admin",
    tag: "Network",
    summary: bilingual("Members with many members below them", "伞下人数众多的会员"),
    request: {
      query: thresholds.extend({ ...paging.shape, sort: sortBy("get_network_members") }),
    },
    response: listOf(networkMember),
    calls: "get_network_members",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}/network",
    auth: "admin",
    tag: "Network",
    summary: bilingual(
      "Members below a member, and what their orders brought, by depth",
      "按层数统计某会员的伞下会员及其订单收益",
    ),
    request: { path: uidPath },
    response: memberNetwork,
    errors: ["user_not_found"],
    calls: "get_member_network",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}/branch",
    auth: "admin",
    tag: "Network",
    summary: bilingual(
      "The direct members of a member, those with the most members below first",
      "会员的直推会员，伞下人数最多的在前",
    ),
    request: { path: uidPath, query: paging },
    response: listOf(branchMember).extend({ root: branchMember, as_of: asOf }),
    errors: ["user_not_found"],
    calls: "get_branch",
    standby: true,
  }),
] as const;
