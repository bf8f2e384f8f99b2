import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { agentLevelsDraft } from "../../_shared/resources/levels.ts";
import { planDraft, planReach, planSettings } from "../../_shared/resources/plans.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { money, points, ratio, time } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

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
    price: money.openapi({
      description: bilingual("The highest price of queue goods, on sale or not.", "报单商品的最高价格，无论是否在售。"),
    }),
    ratio: ratio.openapi({ description: bilingual("The highest ratio of the cycle.", "周期中的最高比例。") }),
    commission: money.openapi({
      description: bilingual("The highest commission for an order of one unit.", "一件商品的订单的最高佣金。"),
    }),
    payout_share: share.openapi({
      description: bilingual(
        "Commission as a share of the price. Null without queue goods.",
        "佣金占价格的比例；没有报单商品时为 null。",
      ),
    }),
    commission_points: points.openapi({
      description: bilingual("Frozen points that come with the commission.", "随佣金发放的冻结积分（佣金积分）。"),
    }),
    level_points: points.openapi({
      description: bilingual(
        "The most points that the levels grant to all members together for one unit.",
        "一件商品按等级向全部会员发放的最高积分。",
      ),
    }),
    points: points.openapi({
      description: bilingual(
        "The sum of commission_points and level_points.",
        "commission_points 与 level_points 之和。",
      ),
    }),
    cycle: z.array(z.strictObject({ place: z.int().min(1), ratio, commission: money })).openapi({
      description: bilingual("What each place of a cycle pays at that price.", "按该价格，周期各位置的佣金。"),
    }),
    cycle_share: share.openapi({
      description: bilingual(
        "Commission of a whole cycle as a share of its revenue. Null without queue goods.",
        "整个周期的佣金占其营业额的比例；没有报单商品时为 null。",
      ),
    }),
    reach: planReach,
  })
  .openapi("CommissionPlanPreview");

export const planRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/brokerage/config",
    auth: "admin",
    tag: "Commission",
    summary: bilingual("The commission plan in force and its earlier versions", "生效中的佣金方案及历史版本"),
    response: plan,
    calls: "get_brokerage_config",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/hjf/brokerage/config",
    auth: "admin",
    tag: "Commission",
    summary: bilingual("Put a new version of the commission plan in force", "启用新版佣金方案"),
    description: bilingual(
      "Omitted settings keep their current values. Open cycles keep the plan with which they opened.",
      "未给出的设置保持当前值。进行中的周期沿用开启时的方案。",
    ),
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
    summary: bilingual("Preview the highest cost of an order under a draft plan", "预览按草案一笔订单的最高成本"),
    description: bilingual(
      "Nothing is saved. Omitted settings have the values in force. A draft is rejected for the same reasons as when it is saved.",
      "不会保存。未给出的设置取生效值。草案不被接受的原因与保存时相同。",
    ),
    request: { body: z.strictObject({ plan: planDraft.optional(), levels: agentLevelsDraft.optional() }).optional() },
    response: preview,
    errors: ["plan_invalid", "levels_invalid"],
    calls: "preview_brokerage_config",
  }),
] as const;
