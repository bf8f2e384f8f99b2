import { z } from "@hono/zod-openapi";
import { id, money, time } from "../schemas.ts";

const refundLine = z.strictObject({ line_id: id, quantity: z.int().min(1).max(9999) }).openapi("RefundLine");

/** The units that a refund is about. */
export const refundLines = z.array(refundLine).min(1).max(50)
  .openapi({ description: "The units to refund; without it those of the open request, or everything that is left." });

/** A refund that was asked for or carried out. */
export const refund = z.strictObject({
  id,
  order_id: id,
  state: z.enum(["requested", "refused", "refunded"]),
  reason: z.string(),
  amount: money.openapi({ description: "What the named units cost, without freight." }),
  created_at: time,
  decided_at: time.nullable(),
  lines: z.array(refundLine),
}).openapi("Refund");
