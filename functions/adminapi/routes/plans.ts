import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { agentLevelsDraft } from "../../_shared/resources/levels.ts";
import { planDraft, planReach, planSettings } from "../../_shared/resources/plans.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { money, points, ratio, time } from "../../_shared/resources/schemas.ts";

const versionFields = planSettings.extend({
  version: z.int().min(1),
  created_by: actor,
  created_at: time,
});

const version = versionFields.openapi("CommissionPlanVersion");

const plan = versionFields
  .extend({
    versions: z.array(version).openapi({ description: "The last twenty, newest first." }),
  })
  .openapi("CommissionPlan");

const share = z.number().nullable();

const preview = z
  .strictObject({
    price: money.openapi({ description: "The highest price of queue goods, on sale or not." }),
    ratio: ratio.openapi({ description: "The highest ratio of the cycle." }),
    commission: money.openapi({ description: "The highest commission for an order of one unit." }),
    payout_share: share.openapi({ description: "Commission as a share of the price. Null without queue goods." }),
    commission_points: points.openapi({ description: "Frozen points that come with the commission." }),
    level_points: points.openapi({ description: "The most points that the levels grant to all members together for one unit." }),
    points: points.openapi({ description: "The sum of commission_points and level_points." }),
    cycle: z
      .array(z.strictObject({ place: z.int().min(1), ratio, commission: money }))
      .openapi({ description: "What each place of a cycle pays at that price." }),
    cycle_share: share.openapi({ description: "Commission of a whole cycle as a share of its revenue. Null without queue goods." }),
    reach: planReach,
  })
  .openapi("CommissionPlanPreview");

export const planRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/brokerage/config",
    auth: "admin",
    tag: "Commission",
    summary: "The commission plan in force and its earlier versions",
    response: plan,
    calls: "get_brokerage_config",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/hjf/brokerage/config",
    auth: "admin",
    tag: "Commission",
    summary: "Put a new version of the commission plan in force",
    description: "Omitted settings keep their current values. Open cycles keep the plan with which they opened.",
    request: {
      body: planDraft.refine((body) => Object.keys(body).length > 0, "Send at least one setting."),
    },
    response: plan,
    errors: ["plan_invalid"],
    calls: "set_brokerage_config",
    args: ({ body }) => ({ p_plan: body }),
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/hjf/brokerage/config/preview",
    auth: "admin",
    tag: "Commission",
    summary: "Preview the highest cost of an order under a draft plan",
    description:
      "Nothing is saved. Omitted settings have the values in force. A draft is rejected for the same reasons as when it is saved.",
    request: { body: z.strictObject({ plan: planDraft.optional(), levels: agentLevelsDraft.optional() }).optional() },
    response: preview,
    errors: ["plan_invalid", "levels_invalid"],
    calls: "preview_brokerage_config",
  }),
] as const;
