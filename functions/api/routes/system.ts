import { health, metadata } from "../../_shared/resources/system.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { serveHealth } from "../serve_health.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

export const systemRoutes = [
  defineRoute({
    method: "get",
    path: "/api/health",
    auth: "public",
    tag: "System",
    summary: bilingual("Whether the service and its database work", "服务与数据库是否正常"),
    response: health,
    calls: "get_health",
    handler: serveHealth,
  }),
  defineRoute({
    method: "get",
    path: "/api/system/metadata",
    auth: "public",
    tag: "System",
    summary: bilingual(
      "Name, version, site name, logo, colour and contact of this installation",
      "本商城的名称、版本、站点名称、标志、主色与联系方式",
    ),
    response: metadata,
    calls: "get_system_metadata",
    args: (_input, { build }) => ({ p_version: build.version, p_commit: build.commit }),
  }),
] as const;
