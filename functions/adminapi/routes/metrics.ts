import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { serveMetrics } from "../serve_metrics.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

export const metricsRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/metrics",
    auth: "scraper",
    tag: "System",
    summary: bilingual(
      "Metrics of the background work in the text format of Prometheus",
      "后台任务指标，Prometheus 文本格式",
    ),
    description: bilingual(
      "For a monitoring system, which sends the token of STORE_METRICS_TOKEN as a bearer token. Tokens of administrators are rejected: " +
        "they expire within an hour, and a monitoring system needs none of their rights.",
      "供监控系统使用，以 STORE_METRICS_TOKEN 的令牌作为 bearer token。不接受管理员令牌：其一小时内过期，且监控系统无需管理员权限。",
    ),
    response: z.string().openapi({
      description: bilingual(
        "Settlement jobs, outbox, release, reconciliation and scheduled jobs.",
        "结算任务、待处理请求、积分释放、对账与定时任务。",
      ),
    }),
    media: "text/plain",
    calls: "get_metrics",
    handler: serveMetrics,
  }),
] as const;
