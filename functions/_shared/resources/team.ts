import { z } from "@hono/zod-openapi";
import { time } from "./schemas.ts";

const total = z.strictObject({
  members: z.int().min(0),
  orders: z
    .int()
    .min(0)
    .openapi({ description: "Reported orders: paid orders with queue goods of which something is left, not below the minimum base." }),
});

/** The totals of a member's team, for schemas that extend it. */
export const teamFields = z.strictObject({
  direct: total.openapi({ description: "Members whom the member referred." }),
  umbrella: total.openapi({ description: "All members below, at any depth." }),
  as_of: time.openapi({ description: "The time up to which the totals are complete." }),
});
