import { z } from "@hono/zod-openapi";
import { day, points, time } from "../schemas.ts";

/** The record of one day's release. */
export const releaseRun = z.strictObject({
  release_date: day,
  users: z.int().min(0),
  points,
  failures: z.int().min(0),
  started_at: time,
  finished_at: time.nullable(),
}).openapi("ReleaseRun");
