import { z } from "@hono/zod-openapi";
import { agentLevelsDraft } from "../../_shared/resources/levels.ts";
import { planDraft } from "../../_shared/resources/plans.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, money, points, timestamp } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const side = z.strictObject({
  commission: money,
  points,
  payout_share: z
    .number()
    .nullable()
    .openapi({ description: bilingual("Commission as a share of the revenue.", "佣金占营业额的比例。") }),
  highest_order: z.strictObject({ order_id: id, commission: money }).nullable(),
});

const simulation = z
  .strictObject({
    orders: z.int().min(0),
    revenue: money.openapi({ description: bilingual("Revenue of queue goods.", "报单商品的营业额。") }),
    totals: z.strictObject({ simulated: side.optional(), paid: side.optional() }).openapi({
      description: bilingual(
        "What the draft would have paid, and what was paid for the same orders. A side that paid nothing is omitted.",
        "同一批订单按草案应发放的与实际发放的；没有发放的一方省略。",
      ),
    }),
    depths: z
      .array(
        z.strictObject({
          depth: z.int().min(1).nullable(),
          commission: money,
          points,
          paid_commission: money,
          paid_points: points,
        }),
      )
      .openapi({
        description: bilingual(
          "The same by the depth of the earners, nearest first; 100 stands for depth 100 and deeper. Null, the last one: the buyer is no longer below the earner, after a correction by hand.",
          "按佣金获得者的层数统计的同样数据，层数小的在前；100 表示第 100 层及以下。最后一项为 null：人工更正推荐关系后，买家已不在佣金获得者伞下。",
        ),
      }),
    members: z
      .array(
        z.strictObject({
          uid: id,
          nickname: z.string(),
          commission: money,
          points,
          paid_commission: money,
          paid_points: points,
        }),
      )
      .openapi({ description: bilingual("The twenty members who would have earned most.", "所得最多的二十名会员。") }),
  })
  .openapi("Simulation");

export const simulationRoutes = [
  defineRoute({
    method: "post",
    path: "/adminapi/hjf/simulate",
    auth: "admin",
    tag: "Commission",
    summary: bilingual(
      "Replay the orders of a past period under a draft plan or draft levels",
      "按方案草案或等级草案重新计算过去一段时间的订单",
    ),
    description: bilingual("Changes nothing. At most 5,000 orders.", "不产生变化。至多 5,000 笔订单。"),
    request: {
      body: z.strictObject({
        from: timestamp,
        to: timestamp,
        plan: planDraft.optional(),
        levels: agentLevelsDraft.optional(),
      }),
    },
    response: simulation,
    errors: ["simulation_too_large", "plan_invalid", "levels_invalid"],
    calls: "simulate",
  }),
] as const;
