import { z } from "@hono/zod-openapi";
import { id, money, points, time } from "../schemas.ts";

const refundLine = z.strictObject({ line_id: id, quantity: z.int().min(1).max(9999) }).openapi("RefundLine");

/** The units to refund. */
export const refundLines = z
  .array(refundLine)
  .min(1)
  .max(50)
  .openapi({ description: "The units to refund. The default is the units of the open request, or else all units that are left." });

/** States of a refund at a payment provider. */
export const providerRefundState = z.enum(["refunding", "succeeded", "failed"]);

/** A refund: requested, refused or completed. */
export const refund = z
  .strictObject({
    id,
    order_id: id,
    state: z.enum(["requested", "refused", "refunded"]),
    reason: z.string(),
    amount: money.openapi({ description: "What was paid for these units, without freight and without what points paid." }),
    points: points.openapi({ description: "The points that these units return to the buyer." }),
    created_at: time,
    decided_at: time.nullable(),
    is_imported: z.boolean().openapi({ description: "Whether the order was imported: the refund reverses no commission and no points." }),
    provider_state: providerRefundState.nullable().openapi({
      description: "The state of the refund at the provider of the payment. Null if the refund is not paid out by a provider.",
    }),
    lines: z.array(refundLine),
  })
  .openapi("Refund");
