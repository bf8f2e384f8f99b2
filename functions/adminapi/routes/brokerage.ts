import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actor.ts";
import { planDraft, planSettings } from "../../_shared/resources/commission_plan.ts";
import { defineRoute } from "../../_shared/route.ts";
import { time } from "../../_shared/schemas.ts";

const version = planSettings.extend({
  version: z.int().min(1),
  created_by: actor,
  created_at: time,
}).openapi("CommissionPlanVersion");

const plan = version.extend({
  versions: z.array(version).openapi({ description: "The last twenty, newest first." }),
}).openapi("CommissionPlan");

export const brokerageRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/brokerage/config",
    auth: "admin",
    tag: "Commission",
    summary: "The commission plan in force, and the versions before it",
    answer: plan,
    calls: "get_brokerage_config",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/hjf/brokerage/config",
    auth: "admin",
    tag: "Commission",
    summary: "Put a new version of the commission plan in force",
    description: "Settings that are left out stay as they are. Open cycles keep the plan they began with.",
    request: {
      body: planDraft.refine((body) => Object.keys(body).length > 0, "Name at least one setting."),
    },
    answer: plan,
    errors: ["plan_invalid"],
    calls: "set_brokerage_config",
    args: ({ body }) => ({ p_plan: body }),
  }),
] as const;
