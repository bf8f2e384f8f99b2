import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { serveMetrics } from "../serve_metrics.ts";

export const metricsRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/metrics",
    auth: "scraper",
    tag: "System",
    summary: "Metrics of the background work in the text format of Prometheus",
    description:
      "For a monitoring system, which sends the token of STORE_METRICS_TOKEN as a bearer token. Tokens of administrators are rejected: " +
      "they expire within an hour, and a monitoring system needs none of their rights.",
    response: z.string().openapi({ description: "Settlement jobs, outbox, release, reconciliation and scheduled jobs." }),
    media: "text/plain",
    calls: "get_metrics",
    handler: serveMetrics,
  }),
] as const;
