import { z } from "@hono/zod-openapi";
import { day, time } from "../schemas.ts";

/** The fields of the public metadata, for schemas that extend it. */
export const metadataFields = z.strictObject({
  name: z.string(),
  version: z.string(),
  api_version: z.string(),
  commit: z.string().nullable(),
  site_name: z.string(),
  logo: z.string().nullable().openapi({ description: "The address of a picture." }),
  colour: z.string().openapi({ description: "The main colour of the pages for members.", example: "#c8102e" }),
});

/** The public metadata of this installation. */
export const metadata = metadataFields.openapi("SystemMetadata");

/** Whether the scheduled jobs run. */
export const scheduler = z.enum(["ok", "missing", "not_scheduled", "late"]).openapi({
  description:
    "missing: pg_cron is not installed, and nothing else runs the jobs. not_scheduled: pg_cron does not have all active jobs. late: the jobs are scheduled, but the settlement of waiting orders did not run when it was due.",
});

/** The health of the service and its jobs. */
export const health = z.strictObject({
  status: z.enum(["ok", "degraded"]).openapi({
    description: "degraded: an operator must act, because a settlement job is dead or has been due for more than five minutes, or no scheduler runs the jobs.",
  }),
  waiting_jobs: z.int().min(0),
  dead_jobs: z.int().min(0),
  due_since: time.nullable().openapi({ description: "When the oldest waiting settlement job was created; null if none waits." }),
  import_since: time.nullable().openapi({ description: "When the unfinished import began that settlements wait for; null if there is none." }),
  scheduler,
  last_release: day.nullable(),
}).openapi("Health");
