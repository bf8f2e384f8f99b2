import { z } from "@hono/zod-openapi";
import { month } from "../../_shared/resources/bill.ts";
import { brokerageProgress } from "../../_shared/resources/plans.ts";
import { earning } from "../../_shared/resources/products.ts";
import { releaseForecast } from "../../_shared/resources/release.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { day, id, money, points } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const prospects = z
  .strictObject({
    progress: brokerageProgress,
    products: z.array(z.strictObject({ id, title: z.string(), price: money, you_would_earn: earning })).openapi({
      description: bilingual(
        "The newest 20 products on sale that pay commission, with what the next order of one unit would pay the member.",
        "最新的 20 件产生佣金的在售商品，以及下一笔一件商品的订单可为会员带来的预估。",
      ),
    }),
    forecast: releaseForecast,
  })
  .openapi("Prospects");

const earned = { commission: money, points };

const monthEarnings = z
  .strictObject({
    month: month.openapi({ description: "A calendar month in the store's time zone." }),
    ...earned,
    days: z
      .array(z.strictObject({ day, ...earned }))
      .openapi({ description: bilingual("Every day of the month.", "当月的每一天。") }),
    months: z.array(month).openapi({ description: "The months in which the member has bill rows, the newest first." }),
  })
  .openapi("MonthEarnings");

export const prospectRoutes = [
  defineRoute({
    method: "get",
    path: "/api/prospects",
    auth: "user",
    tag: "Commission",
    summary: bilingual("What the member could earn", "会员可能获得的收益"),
    description: bilingual(
      "Estimates by the member's cycle and level, the plan in force and its payout cap: a settlement decides what an order pays.",
      "按会员的周期与等级、生效方案及其佣金上限预估；订单实际的发放以结算为准。",
    ),
    response: prospects,
    calls: "get_prospects",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/prospects/month",
    auth: "user",
    tag: "Commission",
    summary: bilingual("What orders earned the member on each day of a month", "某月每天订单为会员带来的收益"),
    description: bilingual(
      "Less what refunds took back that day, so that a day can be negative.",
      "已减去当日退款冲回的金额，因此某日可能为负。",
    ),
    request: {
      query: z.strictObject({ month: month.optional().openapi({ description: "The present month if absent." }) }),
    },
    response: monthEarnings,
    calls: "get_month_earnings",
    standby: true,
  }),
] as const;
