import { z } from "@hono/zod-openapi";
import { day, time } from "./schemas.ts";

/** The fields of the public metadata, for schemas that extend it. */
export const metadataFields = z.strictObject({
  name: z.string(),
  version: z.string(),
  api_version: z.string(),
  commit: z.string().nullable(),
  site_name: z.string(),
  logo: z.string().nullable().openapi({ description: "The address of a picture." }),
  colour: z.string().openapi({ description: "The main colour of the pages for members.", example: "#c8102e" }),
  contact_phone: z.string().nullable().openapi({ description: "The phone number at which members reach the store." }),
  contact_wechat: z.string().nullable().openapi({ description: "The WeChat ID at which members reach the store." }),
  contact_hours: z.string().nullable().openapi({ description: "When members reach the store, as people read it." }),
});

/** The public metadata of this installation. */
export const metadata = metadataFields.openapi("SystemMetadata");

/** Whether the scheduled jobs run. */
export const scheduler = z.enum(["ok", "missing", "not_scheduled", "late"]).openapi({
  description:
    "missing: pg_cron is not installed, and nothing else runs the jobs. not_scheduled: pg_cron does not have all active jobs. late: the jobs are scheduled, but the settlement of waiting orders did not run when it was due.",
});

/** Which scheduled jobs are late. */
export const lateJobs = z
  .array(z.string())
  .openapi({ description: "Names of the scheduled jobs that did not run when they were due.", example: ["fsgx_release_frozen_points"] });

/** Whether the clock of the database can be right. */
export const clock = z.enum(["ok", "doubtful", "differs"]).openapi({
  description:
    "doubtful: more than six hours have passed since the last heartbeat of the scheduler, so either the store was off or the clock has jumped. No points are released until a second clock agrees. differs: the clock of an edge function is more than five minutes away from that of the database.",
});

/** The health of the database and its jobs, for schemas that extend it. */
export const healthFields = z.strictObject({
  status: z.enum(["ok", "degraded"]).openapi({
    description:
      "degraded: an operator must act, because a settlement job is dead or has waited for more than five minutes, no scheduler runs the jobs, a scheduled job did not run when it was due, the clock may be wrong, a guarantee of the database is switched off, a shard does not answer, or the functions do not serve the schema.",
  }),
  waiting_jobs: z.int().min(0),
  dead_jobs: z.int().min(0),
  due_since: time.nullable().openapi({ description: "When the oldest waiting settlement job was created; null if none waits." }),
  import_since: time
    .nullable()
    .openapi({ description: "When the unfinished import began that settlements wait for; null if there is none." }),
  scheduler,
  late_jobs: lateJobs,
  clock,
  guarantees: z.enum(["ok", "broken", "unchecked"]).openapi({
    description:
      "Whether tables, triggers, policies, constraints and privileges are as the migrations created them, by the comparison of the last hour. broken: the configuration check lists what differs. unchecked: nothing has compared them yet.",
  }),
  webhooks: z.enum(["direct", "proxy", "off"]).openapi({
    description:
      "How the worker reaches webhooks. direct: it connects to the address that it has checked. proxy: through the proxy of its settings. off: the key of their secrets is not set.",
  }),
  schema_version: z
    .string()
    .openapi({ description: "The version of the database: the last one that changed its schema.", example: "1.0.0" }),
  last_release: day.nullable(),
  silent_shards: z.array(z.int()).optional().openapi({
    description: "Only in a store with shards: the numbers of those that do not answer. All other fields are about the others.",
  }),
});

/** The health of the service. */
export const health = healthFields
  .extend({
    schema: z.enum(["served", "not_served"]).openapi({
      description:
        "Whether the edge functions serve the schema of the database. not_served: they refuse all other requests with schema_not_served, as between the steps of an update that changes what they need.",
    }),
  })
  .openapi("Health");
