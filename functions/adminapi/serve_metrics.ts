import { respond } from "../_shared/respond.ts";
import type { RouteHandler } from "../_shared/route.ts";
import type { Service } from "../_shared/service.ts";

/** Serves the metrics, which the database returns as text. */
export function serveMetrics({ database }: Service): RouteHandler {
  return async (c) => {
    const text = JSON.parse(await database.callAsService("get_metrics", {})) as string;
    return respond(c, text, 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
  };
}
