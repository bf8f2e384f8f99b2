import { z } from "@hono/zod-openapi";
import { money, moneyText, points, ratio } from "../schemas.ts";

/** The settings of cycle commission that members see. */
const planTerms = z.strictObject({
  people_per_cycle: z.int().min(1).max(100),
  tier_ratios: z.array(ratio).max(100).openapi({ description: "One per place of the cycle." }),
  brokerage_scope: z.enum(["direct", "umbrella"]),
  brokerage_timing: z.enum(["on_pay", "confirm"]),
});

/** All settings of a commission plan. */
export const planSettings = planTerms.extend({
  points_per_brokerage: points.openapi({ description: "Frozen points per 1.00 of commission." }),
  max_depth: z.int().min(1).nullable().openapi({ description: "How far up the chain points go; null is all the way." }),
  payout_cap: ratio.openapi({ description: "Most of an order's base that may be paid as commission, whatever the plan of the cycle says." }),
  minimum_base: money.openapi({ description: "Orders whose queue goods cost less than this pay nobody and count for nothing." }),
});

/** A plan that is to be in force: what is left out stays as it is. */
export const planDraft = planSettings.extend({ minimum_base: moneyText }).partial().openapi("CommissionPlanDraft");

/** Where a member stands in their commission cycle. */
export const brokerageProgress = planTerms.extend({
  plan_version: z.int().min(1),
  eligible: z.boolean().openapi({ description: "Whether the member has a reported order of their own and so may earn." }),
  cycle_no: z.int().min(1),
  cycle_current: z.int().min(0).openapi({ description: "Places taken in the open cycle." }),
  cycle_remaining: z.int().min(0),
  next_ratio: ratio.nullable(),
  total_places: z.int().min(0),
  total_brokerage: money,
}).openapi("BrokerageProgress");
