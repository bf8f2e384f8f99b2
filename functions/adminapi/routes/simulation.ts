import { z } from "@hono/zod-openapi";
import { agentLevelsDraft } from "../../_shared/resources/levels.ts";
import { planDraft } from "../../_shared/resources/plans.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, money, points, timestamp } from "../../_shared/resources/schemas.ts";

const side = z.strictObject({
  commission: money,
  points,
  payout_share: z.number().nullable().openapi({ description: "Commission as a share of the revenue." }),
  highest_order: z.strictObject({ order_id: id, commission: money }).nullable(),
});

const simulation = z
  .strictObject({
    orders: z.int().min(0),
    revenue: money.openapi({ description: "Revenue of queue goods." }),
    totals: z.strictObject({ simulated: side.optional(), paid: side.optional() }).openapi({
      description: "What the draft would have paid, and what was paid for the same orders. A side that paid nothing is omitted.",
    }),
    depths: z
      .array(
        z.strictObject({
          depth: z.int().min(1).nullable(),
          commission: money,
          points,
          paid_commission: money,
          paid_points: points,
        }),
      )
      .openapi({
        description:
          "The same by the depth of the earners, nearest first; 100 stands for depth 100 and deeper. Null, the last one: the buyer is no longer below the earner, after a correction by hand.",
      }),
    members: z
      .array(
        z.strictObject({
          uid: id,
          nickname: z.string(),
          commission: money,
          points,
          paid_commission: money,
          paid_points: points,
        }),
      )
      .openapi({ description: "The twenty members who would have earned most." }),
  })
  .openapi("Simulation");

export const simulationRoutes = [
  defineRoute({
    method: "post",
    path: "/adminapi/hjf/simulate",
    auth: "admin",
    tag: "Commission",
    summary: "Replay the orders of a past period under a draft plan or draft levels",
    description: "Changes nothing. At most 5,000 orders.",
    request: { body: z.strictObject({ from: timestamp, to: timestamp, plan: planDraft.optional(), levels: agentLevelsDraft.optional() }) },
    response: simulation,
    errors: ["simulation_too_large", "plan_invalid", "levels_invalid"],
    calls: "simulate",
  }),
] as const;
