import { health, metadata } from "../../_shared/resources/system.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { serveHealth } from "../serve_health.ts";

export const systemRoutes = [
  defineRoute({
    method: "get",
    path: "/api/health",
    auth: "public",
    tag: "System",
    summary: "Whether the service and its database work",
    response: health,
    calls: "get_health",
    handler: serveHealth,
  }),
  defineRoute({
    method: "get",
    path: "/api/system/metadata",
    auth: "public",
    tag: "System",
    summary: "Name, version, site name, logo, colour and contact of this installation",
    response: metadata,
    calls: "get_system_metadata",
    args: (_input, { build }) => ({ p_version: build.version, p_commit: build.commit }),
  }),
] as const;
