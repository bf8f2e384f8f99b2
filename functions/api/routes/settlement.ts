import { brokerageProgress } from "../../_shared/resources/plans.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

export const settlementRoutes = [
  defineRoute({
    method: "get",
    path: "/api/hjf/brokerage/progress",
    auth: "user",
    tag: "Commission",
    summary: bilingual("The member's commission cycle", "会员的佣金周期"),
    response: brokerageProgress,
    calls: "get_brokerage_progress",
  }),
] as const;
