import { z } from "@hono/zod-openapi";
import { planTerms } from "../../_shared/resources/commission_plan.ts";
import { defineRoute } from "../../_shared/route.ts";
import { id, points, ratio, time } from "../../_shared/schemas.ts";

const plan = planTerms.extend({
  version: z.int().min(1),
  points_per_brokerage: points.openapi({ description: "Frozen points per 1.00 of commission." }),
  max_depth: z.int().min(1).nullable(),
  payout_cap: ratio,
  created_by: id.nullable(),
  created_at: time,
}).openapi("CommissionPlan");

export const brokerageRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/brokerage/config",
    auth: "admin",
    tag: "Commission",
    summary: "The commission plan in force",
    answer: plan,
    calls: "get_brokerage_config",
  }),
] as const;
