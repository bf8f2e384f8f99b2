import { z } from "@hono/zod-openapi";
import { releaseForecast, releaseRun } from "../../_shared/resources/release.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { cursorPaging, day, id, idText, logOf, orNull, points, time } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const release = z
  .strictObject({
    id,
    uid: id,
    nickname: z.string(),
    frozen_before: points,
    release_points: points,
    frozen_after: points,
    release_date: day,
    add_time: time,
  })
  .openapi("Release");

const forecast = releaseForecast
  .extend({
    uid: id.nullable(),
    members: z
      .int()
      .min(0)
      .openapi({
        description: bilingual("Members with enough frozen points for a release.", "冻结积分足以释放的会员数。"),
      }),
  })
  .openapi("ReleaseForecast");

const statistics = z.strictObject({
  total_released: points.openapi({ description: bilingual("The sum over all matching rows.", "全部匹配行的合计。") }),
  users: z
    .int()
    .min(0)
    .openapi({
      description: bilingual(
        "The highest number of members on one day. For a single member, 1 or 0.",
        "单日最多会员数；查询单个会员时为 1 或 0。",
      ),
    }),
  last_run: orNull(releaseRun),
});

export const releaseRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/points/release_log",
    auth: "admin",
    tag: "Points",
    summary: bilingual(
      "Releases of frozen points, newest first, with totals over all matching rows",
      "冻结积分的释放记录，最新的在前，含全部匹配行的合计",
    ),
    request: {
      query: cursorPaging.extend({ uid: idText.optional(), date_from: day.optional(), date_to: day.optional() }),
    },
    response: logOf(release).extend({ statistics }),
    calls: "get_release_log",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/points/forecast",
    auth: "admin",
    tag: "Points",
    summary: bilingual("Forecast of the release, for one member or for all", "积分释放预测，单个会员或全部"),
    request: { query: z.strictObject({ uid: idText.optional() }) },
    response: forecast,
    calls: "get_release_forecast",
  }),
] as const;
