import { z } from "@hono/zod-openapi";
import { planTerms } from "../../_shared/resources/commission_plan.ts";
import { defineRoute } from "../../_shared/route.ts";
import { money, points, ratio } from "../../_shared/schemas.ts";

const progress = planTerms.extend({
  plan_version: z.int().min(1),
  eligible: z.boolean().openapi({ description: "Whether the member has a reported order of their own and so may earn." }),
  cycle_no: z.int().min(1),
  cycle_current: z.int().min(0).openapi({ description: "Places taken in the open cycle." }),
  cycle_remaining: z.int().min(0),
  next_ratio: ratio.nullable(),
  total_places: z.int().min(0),
  total_brokerage: money,
}).openapi("BrokerageProgress");

const overview = z.strictObject({
  brokerage_price: money,
  frozen_points: points,
  available_points: points,
  today_release: points.openapi({ description: "What today's release gave, or will give." }),
  total_points_earned: points,
  agent_level: z.int().min(0),
  agent_level_name: z.string(),
  progress,
}).openapi("AssetOverview");

export const hjfRoutes = [
  defineRoute({
    method: "get",
    path: "/api/hjf/brokerage/progress",
    auth: "user",
    tag: "Commission",
    summary: "The member's commission cycle",
    answer: progress,
    calls: "get_brokerage_progress",
  }),
  defineRoute({
    method: "get",
    path: "/api/hjf/assets/overview",
    auth: "user",
    tag: "Commission",
    summary: "The member's money, points, level and commission cycle",
    answer: overview,
    calls: "get_assets_overview",
  }),
] as const;
