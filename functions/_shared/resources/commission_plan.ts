import { z } from "@hono/zod-openapi";
import { ratio } from "../schemas.ts";

/** The settings of cycle commission that members see. */
export const planTerms = z.strictObject({
  people_per_cycle: z.int().min(1).max(100),
  tier_ratios: z.array(ratio).openapi({ description: "One per place of the cycle." }),
  brokerage_scope: z.enum(["direct", "umbrella"]),
  brokerage_timing: z.enum(["on_pay", "confirm"]),
});
