import { z } from "@hono/zod-openapi";
import { brokerageProgress } from "../../_shared/resources/commission_plan.ts";
import { defineRoute } from "../../_shared/route.ts";
import { money, points } from "../../_shared/schemas.ts";

const overview = z.strictObject({
  brokerage_price: money,
  frozen_points: points,
  available_points: points,
  today_release: points.openapi({ description: "What today's release gave, or will give." }),
  total_points_earned: points,
  agent_level: z.int().min(0),
  agent_level_name: z.string(),
  progress: brokerageProgress,
}).openapi("AssetOverview");

export const hjfRoutes = [
  defineRoute({
    method: "get",
    path: "/api/hjf/brokerage/progress",
    auth: "user",
    tag: "Commission",
    summary: "The member's commission cycle",
    answer: brokerageProgress,
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
