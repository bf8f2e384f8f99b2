import { z } from "@hono/zod-openapi";
import { releaseForecast, releaseRun } from "../../_shared/resources/release.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { cursorPaging, day, id, idText, logOf, orNull, points, time } from "../../_shared/resources/schemas.ts";

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
    members: z.int().min(0).openapi({ description: "Members with enough frozen points for a release." }),
  })
  .openapi("ReleaseForecast");

const statistics = z.strictObject({
  total_released: points.openapi({ description: "The sum over all matching rows." }),
  users: z.int().min(0).openapi({ description: "The highest number of members on one day. For a single member, 1 or 0." }),
  last_run: orNull(releaseRun),
});

export const releaseRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/points/release_log",
    auth: "admin",
    tag: "Points",
    summary: "Releases of frozen points, newest first, with totals over all matching rows",
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
    summary: "Forecast of the release, for one member or for all",
    request: { query: z.strictObject({ uid: idText.optional() }) },
    response: forecast,
    calls: "get_release_forecast",
  }),
] as const;
