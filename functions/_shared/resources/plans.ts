import { z } from "@hono/zod-openapi";
import { money, moneyText, points, ratio } from "./schemas.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";

/** The settings of cycle commission that members see. */
const planTerms = z.strictObject({
  people_per_cycle: z.int().min(1).max(100),
  tier_ratios: z.array(ratio).max(100).openapi({ description: "One per place of the cycle." }),
  brokerage_scope: z.enum(VALUE_LISTS["commission_plans.brokerage_scope"]),
  brokerage_timing: z.enum(VALUE_LISTS["commission_plans.brokerage_timing"]),
});

/** All settings of a commission plan. */
export const planSettings = planTerms.extend({
  points_per_brokerage: points.openapi({ description: "Frozen points per 1.00 of commission." }),
  max_depth: z.int().min(1).nullable().openapi({
    description: "The highest depth at which members of the upline get points by level or can earn the commission. Null means no limit.",
  }),
  payout_cap: ratio.openapi({
    description: "Highest share of an order's base that may be paid as commission. It also limits cycles that opened under another plan.",
  }),
  minimum_base: money.openapi({ description: "Orders with a lower base pay nobody, take no place and are not counted." }),
  holding_days: z
    .int()
    .min(0)
    .max(365)
    .openapi({ description: "Days until commission matures and can be withdrawn, from the later of receipt and settlement of the order." }),
});

/** A draft of a plan. Omitted settings keep their current values. */
export const planDraft = planSettings.extend({ minimum_base: moneyText }).partial().openapi("CommissionPlanDraft");

const reach = z.int().min(0).nullable();

/** Up to which depth a plan pays. */
export const planReach = z
  .strictObject({
    commission: reach.openapi({ description: "The highest depth at which commission can be paid. Null: no limit; 0: it pays none." }),
    points: reach.openapi({ description: "The same for points by level." }),
    network_depth: z.int().min(1).openapi({ description: "The depth of the settings of the store." }),
    is_deeper: z.boolean().openapi({ description: "Whether commission or points can be paid beyond that depth." }),
  })
  .openapi("PlanReach");

/** A member's progress in their commission cycle. */
export const brokerageProgress = planTerms
  .extend({
    plan_version: z.int().min(1),
    eligible: z.boolean().openapi({ description: "Whether the member has an own reported order and can therefore earn commission." }),
    cycle_no: z.int().min(1),
    cycle_current: z.int().min(0).openapi({ description: "Places taken in the open cycle." }),
    cycle_remaining: z.int().min(0),
    next_ratio: ratio.nullable(),
    total_places: z.int().min(0),
    total_brokerage: money,
  })
  .openapi("BrokerageProgress");
