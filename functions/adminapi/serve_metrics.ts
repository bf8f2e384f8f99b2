import { z } from "@hono/zod-openapi";
import { readResult } from "../_shared/database/result.ts";
import { respond } from "../_shared/responses/respond.ts";
import type { RouteHandler } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";

/** Serves the metrics, which the database returns as text. */
export function serveMetrics({ database }: Service): RouteHandler {
  return async (c) => {
    const text = readResult(z.string(), await database.callAsService("get_metrics", {}));
    return respond(c, text, 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
  };
}
