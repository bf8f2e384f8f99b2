import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { agentLevelsDraft } from "../../_shared/resources/levels.ts";
import { planDraft, planSettings } from "../../_shared/resources/plans.ts";
import { defineRoute } from "../../_shared/route.ts";
import { money, points, ratio, time } from "../../_shared/schemas.ts";

const versionFields = planSettings.extend({
  version: z.int().min(1),
  created_by: actor,
  created_at: time,
});

const version = versionFields.openapi("CommissionPlanVersion");

const plan = versionFields.extend({
  versions: z.array(version).openapi({ description: "The last twenty, newest first." }),
}).openapi("CommissionPlan");

const share = z.number().nullable();

const preview = z.strictObject({
  price: money.openapi({ description: "The highest price of queue goods, on sale or not." }),
  ratio: ratio.openapi({ description: "The highest of the cycle." }),
  commission: money.openapi({ description: "The most that one order of one unit pays." }),
  payout_share: share.openapi({ description: "Commission as a share of the price; null without queue goods." }),
  commission_points: points.openapi({ description: "Frozen points that come with the commission." }),
  level_points: points.openapi({ description: "The most that the levels grant for one unit, to all members together." }),
  points: points.openapi({ description: "Both together." }),
  cycle: z.array(z.strictObject({ place: z.int().min(1), ratio, commission: money }))
    .openapi({ description: "What each place of a cycle pays at that price." }),
  cycle_share: share.openapi({ description: "Commission of a whole cycle as a share of its revenue; null without queue goods." }),
}).openapi("CommissionPlanPreview");

export const planRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/brokerage/config",
    auth: "admin",
    tag: "Commission",
    summary: "The commission plan in force, and the versions before it",
    answer: plan,
    calls: "get_brokerage_config",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/hjf/brokerage/config",
    auth: "admin",
    tag: "Commission",
    summary: "Put a new version of the commission plan in force",
    description: "Settings that are left out stay as they are. Open cycles keep the plan they began with.",
    request: {
      body: planDraft.refine((body) => Object.keys(body).length > 0, "Name at least one setting."),
    },
    answer: plan,
    errors: ["plan_invalid"],
    calls: "set_brokerage_config",
    args: ({ body }) => ({ p_plan: body }),
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/hjf/brokerage/config/preview",
    auth: "admin",
    tag: "Commission",
    summary: "The most that one order could cost under a draft, without saving it",
    description: "What is left out is as it is in force. A draft is refused for the same reasons as saving it would be.",
    request: { body: z.strictObject({ plan: planDraft.optional(), levels: agentLevelsDraft.optional() }).optional() },
    answer: preview,
    errors: ["plan_invalid", "levels_invalid"],
    calls: "preview_brokerage_config",
    args: ({ body }) => ({ p_plan: body?.plan, p_levels: body?.levels }),
  }),
] as const;
