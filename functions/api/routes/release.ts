import { releaseForecast } from "../../_shared/resources/release.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id } from "../../_shared/resources/schemas.ts";

export const releaseRoutes = [
  defineRoute({
    method: "get",
    path: "/api/hjf/points/forecast",
    auth: "user",
    tag: "Points",
    summary: "What will still be released to the member",
    response: releaseForecast.extend({ uid: id }).openapi("PointsForecast"),
    calls: "get_points_forecast",
  }),
] as const;
