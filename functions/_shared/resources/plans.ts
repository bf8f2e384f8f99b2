import { z } from "@hono/zod-openapi";
import { money, moneyText, points, ratio } from "./schemas.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";
import { bilingual } from "../words/bilingual.ts";

/** The settings of cycle commission that members see. */
const planTerms = z.strictObject({
  people_per_cycle: z.int().min(1).max(100),
  tier_ratios: z
    .array(ratio)
    .max(100)
    .openapi({ description: bilingual("One per place of the cycle.", "周期的每个位置一项。") }),
  brokerage_scope: z.enum(VALUE_LISTS["commission_plans.brokerage_scope"]),
  brokerage_timing: z.enum(VALUE_LISTS["commission_plans.brokerage_timing"]),
});

/** All settings of a commission plan. */
export const planSettings = planTerms.extend({
  points_per_brokerage: points.openapi({
    description: bilingual("Frozen points per 1.00 of commission.", "每 1.00 佣金的冻结积分。"),
  }),
  max_depth: z
    .int()
    .min(1)
    .nullable()
    .openapi({
      description: bilingual(
        "The highest depth at which members of the upline get points by level or can earn the commission. Null means no limit.",
        "上级在此层数以内可按等级获得积分或获得佣金；null 表示不限。",
      ),
    }),
  payout_cap: ratio.openapi({
    description: bilingual(
      "Highest share of an order's base that may be paid as commission. It also limits cycles that opened under another plan.",
      "佣金占订单计佣金额的最高比例，对按其他方案开始的周期同样有效。",
    ),
  }),
  minimum_base: money.openapi({
    description: bilingual(
      "Orders with a lower base pay nobody, take no place and are not counted.",
      "计佣金额低于此值的订单不产生佣金、不占位置，也不计入考核。",
    ),
  }),
  holding_days: z
    .int()
    .min(0)
    .max(365)
    .openapi({
      description: bilingual(
        "Days until commission matures and can be withdrawn, from the later of receipt and settlement of the order.",
        "佣金到账并可提现所需的天数，从订单收货与结算中较晚者起算。",
      ),
    }),
});

/** A draft of a plan. Omitted settings keep their current values. */
export const planDraft = planSettings.extend({ minimum_base: moneyText }).partial().openapi("CommissionPlanDraft");

const reach = z.int().min(0).nullable();

/** Up to which depth a plan pays. */
export const planReach = z
  .strictObject({
    commission: reach.openapi({
      description: bilingual(
        "The highest depth at which commission can be paid. Null: no limit; 0: it pays none.",
        "佣金最多发放到的层数。null：不限；0：不发放。",
      ),
    }),
    points: reach.openapi({
      description: bilingual("The same for points by level.", "同上，适用于按等级发放的积分。"),
    }),
    network_depth: z
      .int()
      .min(1)
      .openapi({ description: bilingual("The depth of the settings of the store.", "商城设置的层数。") }),
    is_deeper: z.boolean().openapi({
      description: bilingual(
        "Whether commission or points can be paid beyond that depth.",
        "佣金或积分的发放能否超过该层数。",
      ),
    }),
  })
  .openapi("PlanReach");

/** A member's progress in their commission cycle. */
export const brokerageProgress = planTerms
  .extend({
    plan_version: z.int().min(1),
    eligible: z.boolean().openapi({
      description: bilingual(
        "Whether the member has an own reported order and can therefore earn commission.",
        "会员是否有自购报单，因而可以获得佣金。",
      ),
    }),
    cycle_no: z.int().min(1),
    cycle_current: z
      .int()
      .min(0)
      .openapi({ description: bilingual("Places taken in the open cycle.", "当前周期已占用的位置数。") }),
    cycle_remaining: z.int().min(0),
    next_ratio: ratio.nullable(),
    total_places: z.int().min(0),
    total_brokerage: money,
  })
  .openapi("BrokerageProgress");
