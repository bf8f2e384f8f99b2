import { brokerageProgress } from "../../_shared/resources/plans.ts";
import { defineRoute } from "../../_shared/routes/route.ts";

export const settlementRoutes = [
  defineRoute({
    method: "get",
    path: "/api/hjf/brokerage/progress",
    auth: "user",
    tag: "Commission",
    summary: "The member's commission cycle",
    response: brokerageProgress,
    calls: "get_brokerage_progress",
  }),
] as const;
