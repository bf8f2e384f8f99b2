import { z } from "@hono/zod-openapi";
import { planReach, planSettings } from "../../_shared/resources/plans.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, integerText, leftAt, listOf, money, paging, points, sortBy, time, uidPath } from "../../_shared/resources/schemas.ts";

const count = z.int().min(0);
const share = z.number().min(0).max(1).nullable();
const asOf = time.openapi({ description: "The members below are those of this time." });
const shownDepth = z.int().min(1).openapi({ description: "1 is that of the direct members. 100 stands for depth 100 and deeper." });

/** What members earned at a depth, less reversals. */
const earned = {
  commission: money,
  commission_points: points.openapi({ description: "Frozen points that came with the commission." }),
  direct_points: points,
  umbrella_points: points,
};
const unknownDepth = "Null, the last one: from buyers who are no longer below, after a correction by hand.";

const above = { people: count.openapi({ description: "At least so many members below." }), members: count };

const deepest = z
  .strictObject({ depth: z.int().min(1), uid: id, nickname: z.string(), order_id: id })
  .openapi({ description: "The deepest payment, to whom, and the latest such order." });

const network = z
  .strictObject({
    as_of: asOf,
    referrers: count.openapi({ description: "Members with at least one member below." }),
    depth: count.openapi({ description: "The greatest depth of members below a member." }),
    people: count.openapi({ description: "The threshold of members below." }),
    from_depth: z.int().min(1).openapi({ description: "The threshold of the depth." }),
    above: count.openapi({ description: "Members who reach both thresholds." }),
    presets: z
      .array(z.strictObject({ ...above, depth: z.int().min(1).openapi({ description: "With members at this depth below them." }) }))
      .openapi({ description: "Members who reach thresholds that are often asked for." }),
    plan: z
      .strictObject({
        ...planReach.shape,
        ...planSettings.pick({ brokerage_scope: true, max_depth: true, payout_cap: true }).shape,
        version: z.int().min(1),
      })
      .openapi({ description: "Up to which depth the plan in force pays." }),
    eligibility: z
      .strictObject({
        earners: count.openapi({ description: "Members who have ever earned a commission." }),
        with_one_order: count.openapi({ description: "Those who have paid for one order only: the one that made them eligible (R4)." }),
        share,
      })
      .openapi({ description: "Buying is a condition to earn commission (R4)." }),
  })
  .openapi("Network");

const networkPaid = z
  .strictObject({
    deepest: z.strictObject({ commission: deepest.optional(), points: deepest.optional() }).openapi({
      description: "The deepest commission and the deepest points by level that were ever paid. What was never paid is omitted.",
    }),
    days: z.int().min(1),
    from: time.openapi({ description: "The beginning of the days that depths sums." }),
    depths: z
      .array(z.strictObject({ depth: shownDepth.nullable().openapi({ description: unknownDepth }), ...earned }))
      .openapi({ description: "What was booked in the last days at each depth, less reversals, nearest first." }),
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
    depth: z.int().min(1).openapi({ description: "The greatest depth of a member below." }),
    total_brokerage: money,
    left_at: leftAt,
  })
  .openapi("NetworkMember");

const memberNetwork = z
  .strictObject({
    as_of: asOf,
    people: count.openapi({ description: "Members below, at any depth." }),
    depth: count.openapi({ description: "The greatest depth of a member below, up to 100." }),
    own_sales: z
      .strictObject({ commission: share, points: share })
      .openapi({ description: "The share of what orders brought that came from depth 1. Null if they brought nothing." }),
    depths: z
      .array(z.strictObject({ depth: shownDepth.nullable().openapi({ description: unknownDepth }), people: count, ...earned }))
      .openapi({ description: "Nearest first." }),
  })
  .openapi("MemberNetwork");

const branchMember = z
  .strictObject({
    uid: id,
    nickname: z.string(),
    agent_level: count,
    agent_level_name: z.string(),
    own_orders: count.openapi({ description: "Their own reported orders." }),
    direct_members: count,
    people: count.openapi({ description: "Members below, at any depth." }),
    left_at: leftAt,
  })
  .openapi("BranchMember");

const thresholds = z.strictObject({
  people: integerText(1, 1_000_000)
    .optional()
    .openapi({ description: "At least so many members below. By default, that of the settings." }),
  depth: integerText(1, 1000).optional().openapi({ description: "With members at this depth. By default, that of the settings." }),
});

export const networkRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/network",
    auth: "admin",
    tag: "Network",
    summary: "The shape of the network: how deep it is, and how deep the plan pays",
    description: "States facts. Which of them matter is the decision of the owner of the store.",
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
    summary: "How deep orders have ever paid, and what was paid at each depth in the last days",
    response: networkPaid,
    calls: "get_network_paid",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/network/member",
    auth: "admin",
    tag: "Network",
    summary: "Members with many members below them",
    request: { query: thresholds.extend({ ...paging.shape, sort: sortBy(["people", "direct_members", "depth"], "-people") }) },
    response: listOf(networkMember),
    calls: "get_network_members",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}/network",
    auth: "admin",
    tag: "Network",
    summary: "Members below a member, and what their orders brought, by depth",
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
    summary: "The direct members of a member, those with the most members below first",
    request: { path: uidPath, query: paging },
    response: listOf(branchMember).extend({ root: branchMember, as_of: asOf }),
    errors: ["user_not_found"],
    calls: "get_branch",
    standby: true,
  }),
] as const;
