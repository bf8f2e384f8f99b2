import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { text, time } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const cronExpression = z
  .string()
  .max(40)
  .openapi({
    description: bilingual(
      "In the time zone of the store: `M H * * *` daily, `M H * * D` weekly (0 is Sunday), `M * * * *` hourly, `*/N * * * *` every N minutes.",
      "商城时区的运行计划：`M H * * *` 每天，`M H * * D` 每周（0 为星期日），`M * * * *` 每小时，`*/N * * * *` 每 N 分钟。",
    ),
    example: "1 0 * * *",
  });

const scheduledJob = z
  .strictObject({
    name: z.string(),
    title: z.string(),
    title_zh: z.string(),
    schedule: cronExpression,
    preset: cronExpression.openapi({ description: bilingual("The default schedule.", "默认运行计划。") }),
    schedule_utc: z.string().openapi({
      description: bilingual("The schedule in UTC, as passed to pg_cron.", "传给 pg_cron 的运行计划，为 UTC 时间。"),
    }),
    is_active: z.boolean(),
    next_run: time.nullable(),
    changed_by: z.uuid().nullable(),
    changed_at: time,
    unfinished_since: time.nullable().openapi({
      description: bilingual(
        "When the oldest run began that was cut and whose work is not completed; null if there is none.",
        "被中断且工作尚未完成的运行中，最早的开始时间；没有时为 null。",
      ),
    }),
    runs: z
      .array(
        z.strictObject({
          status: z.string().openapi({
            description: bilingual(
              "As in pg_cron, or `cut`: the run was ended by a time limit, an error or a restart, and a later run continues it.",
              "与 pg_cron 相同，或为 `cut`：运行因超时、出错或重启而中断，由后续运行继续。",
            ),
          }),
          by_hand: z.boolean(),
          message: z.string().nullable(),
          started_at: time.nullable(),
          ended_at: time.nullable(),
        }),
      )
      .openapi({ description: bilingual("The last ten, newest first.", "最近十次，最新的在前。") }),
  })
  .openapi("ScheduledJob");

const schedule = z
  .strictObject({ time_zone: z.string(), count: z.int(), list: z.array(scheduledJob) })
  .openapi("Schedule");

export const scheduleRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/system/crontab",
    auth: "admin",
    tag: "Schedule",
    summary: bilingual("The scheduled jobs with their next and last runs", "定时任务及其下次与最近的运行"),
    response: schedule,
    calls: "get_crontab",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/system/crontab",
    auth: "admin",
    tag: "Schedule",
    summary: bilingual("Change the schedule of a job, or switch it on or off", "修改定时任务的运行计划，或启停"),
    request: {
      body: z
        .strictObject({ name: text(1, 63), schedule: cronExpression.optional(), is_active: z.boolean().optional() })
        .refine((body) => body.schedule !== undefined || body.is_active !== undefined, "Send schedule or is_active."),
    },
    response: schedule,
    errors: ["crontab_not_found", "schedule_unavailable"],
    calls: "set_crontab",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/system/crontab/{name}/run",
    auth: "admin",
    tag: "Schedule",
    summary: bilingual("Run a job once, within about a minute", "约一分钟内运行一次任务"),
    request: { path: z.strictObject({ name: text(1, 63).openapi({ example: "reconcile_bill" }) }) },
    response: z.strictObject({ name: z.string(), runs_at: time }),
    errors: ["crontab_not_found", "schedule_unavailable"],
    calls: "run_crontab",
  }),
] as const;
