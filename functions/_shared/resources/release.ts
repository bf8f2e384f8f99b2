import { z } from "@hono/zod-openapi";
import { day, points, time } from "./schemas.ts";
import { bilingual } from "../words/bilingual.ts";

/** What a frozen balance will release if nothing is added to it. */
export const releaseForecast = z.strictObject({
  frozen_points: points,
  half_released_after_days: z.int(),
  forecast: z.array(z.strictObject({ days: z.int().min(1), release_points: points })).openapi({
    description: bilingual(
      "What will have been released after so many days, if nothing is added.",
      "若不再新增，经过相应天数后累计释放的积分。",
    ),
  }),
});

/** The record of one day's release. */
export const releaseRun = z
  .strictObject({
    release_date: day,
    users: z.int().min(0),
    points,
    failures: z.int().min(0),
    cuts: z
      .int()
      .min(0)
      .openapi({
        description: bilingual(
          "Runs that were cut while they released this day, by a time limit, an error or a restart. Later runs release the rest.",
          "释放该营业日期间因超时、出错或重启而被中断的运行次数，剩余部分由后续运行释放。",
        ),
      }),
    started_at: time,
    finished_at: time.nullable(),
  })
  .openapi("ReleaseRun");
