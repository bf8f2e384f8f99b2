import { z } from "@hono/zod-openapi";
import { day } from "../schemas.ts";

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
  status: z.literal("ok"),
  waiting_jobs: z.int().min(0),
  dead_jobs: z.int().min(0),
  last_release: day.nullable(),
}).openapi("Health");
