import { z } from "@hono/zod-openapi";
import { month } from "../../_shared/resources/bill.ts";
import { brokerageProgress } from "../../_shared/resources/plans.ts";
import { earning } from "../../_shared/resources/products.ts";
import { releaseForecast } from "../../_shared/resources/release.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { day, id, money, points } from "../../_shared/resources/schemas.ts";

const prospects = z
  .strictObject({
    progress: brokerageProgress,
    products: z.array(z.strictObject({ id, title: z.string(), price: money, you_would_earn: earning })).openapi({
      description: "The newest 20 products on sale that pay commission, with what the next order of one unit would pay the member.",
    }),
    forecast: releaseForecast,
  })
  .openapi("Prospects");

const earned = { commission: money, points };

const monthEarnings = z
  .strictObject({
    month: month.openapi({ description: "A calendar month in the store's time zone." }),
    ...earned,
    days: z.array(z.strictObject({ day, ...earned })).openapi({ description: "Every day of the month." }),
    months: z.array(month).openapi({ description: "The months in which the member has bill rows, the newest first." }),
  })
  .openapi("MonthEarnings");

export const prospectRoutes = [
  defineRoute({
    method: "get",
    path: "/api/prospects",
    auth: "user",
    tag: "Commission",
    summary: "What the member could earn",
    description:
      "Estimates by the member's cycle and level, the plan in force and its payout cap: a settlement decides what an order pays.",
    response: prospects,
    calls: "get_prospects",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/prospects/month",
    auth: "user",
    tag: "Commission",
    summary: "What orders earned the member on each day of a month",
    description: "Less what refunds took back that day, so that a day can be negative.",
    request: { query: z.strictObject({ month: month.optional().openapi({ description: "The present month if absent." }) }) },
    response: monthEarnings,
    calls: "get_month_earnings",
    standby: true,
  }),
] as const;
