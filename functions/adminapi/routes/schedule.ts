import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { text, time } from "../../_shared/resources/schemas.ts";

const cronExpression = z.string().max(40).openapi({
  description:
    "In the time zone of the store: `M H * * *` daily, `M H * * D` weekly (0 is Sunday), `M * * * *` hourly, `*/N * * * *` every N minutes.",
  example: "1 0 * * *",
});

const scheduledJob = z
  .strictObject({
    name: z.string(),
    title: z.string(),
    title_zh: z.string(),
    schedule: cronExpression,
    preset: cronExpression.openapi({ description: "The default schedule." }),
    schedule_utc: z.string().openapi({ description: "The schedule in UTC, as passed to pg_cron." }),
    is_active: z.boolean(),
    next_run: time.nullable(),
    changed_by: z.uuid().nullable(),
    changed_at: time,
    unfinished_since: time
      .nullable()
      .openapi({ description: "When the oldest run began that was cut and whose work is not completed; null if there is none." }),
    runs: z
      .array(
        z.strictObject({
          status: z.string().openapi({
            description: "As in pg_cron, or `cut`: the run was ended by a time limit, an error or a restart, and a later run continues it.",
          }),
          by_hand: z.boolean(),
          message: z.string().nullable(),
          started_at: time.nullable(),
          ended_at: time.nullable(),
        }),
      )
      .openapi({ description: "The last ten, newest first." }),
  })
  .openapi("ScheduledJob");

const schedule = z.strictObject({ time_zone: z.string(), count: z.int(), list: z.array(scheduledJob) }).openapi("Schedule");

export const scheduleRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/system/crontab",
    auth: "admin",
    tag: "Schedule",
    summary: "The scheduled jobs with their next and last runs",
    response: schedule,
    calls: "get_crontab",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/system/crontab",
    auth: "admin",
    tag: "Schedule",
    summary: "Change the schedule of a job, or switch it on or off",
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
    summary: "Run a job once, within about a minute",
    request: { path: z.strictObject({ name: text(1, 63).openapi({ example: "reconcile_bill" }) }) },
    response: z.strictObject({ name: z.string(), runs_at: time }),
    errors: ["crontab_not_found", "schedule_unavailable"],
    calls: "run_crontab",
  }),
] as const;
