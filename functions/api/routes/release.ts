import { releaseForecast } from "../../_shared/resources/release.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

export const releaseRoutes = [
  defineRoute({
    method: "get",
    path: "/api/hjf/points/forecast",
    auth: "user",
    tag: "Points",
    summary: bilingual("What will still be released to the member", "尚待释放给会员的积分"),
    response: releaseForecast.extend({ uid: id }).openapi("PointsForecast"),
    calls: "get_points_forecast",
  }),
] as const;
