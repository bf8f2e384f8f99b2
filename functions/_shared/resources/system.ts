import { z } from "@hono/zod-openapi";
import { day, time } from "../schemas.ts";

/** The fields of what runs here, for what has more of them. */
export const metadataFields = z.strictObject({
  name: z.string(),
  version: z.string(),
  api_version: z.string(),
  commit: z.string().nullable(),
  site_name: z.string(),
});

/** What runs here. */
export const metadata = metadataFields.openapi("SystemMetadata");

/** That the service works, and what waits in it. */
export const health = z.strictObject({
  status: z.enum(["ok", "degraded"]).openapi({
    description: "degraded: an operator has to look, since an order could not be settled, one is due for more than five minutes, or the scheduler does not run.",
  }),
  waiting_jobs: z.int().min(0),
  dead_jobs: z.int().min(0),
  due_since: time.nullable().openapi({ description: "When the oldest waiting settlement job was created; null if none waits." }),
  scheduler_is_late: z.boolean().openapi({ description: "The sweep that settles waiting orders did not run when it was due." }),
  last_release: day.nullable(),
}).openapi("Health");
