import { respondJson } from "../_shared/responses/respond.ts";
import type { RouteHandler } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";

/** Serves the health, also that of a database whose schema this function does not serve. */
export function serveHealth({ database }: Service): RouteHandler {
  return async (c, claims) => {
    const { version, isServed } = await database.schema();
    const found = JSON.parse(
      await database.callAsCaller(claims, "get_health", {}, { id: c.get("requestId"), writes: false, anySchema: true }),
    ) as object;
    const health = {
      schema_version: version,
      ...found,
      schema: isServed ? "served" : "not_served",
      ...(!isServed && { status: "degraded" }),
    };
    return respondJson(c, JSON.stringify(health));
  };
}
