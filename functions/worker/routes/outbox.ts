import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { runOutbox } from "../run_outbox.ts";

export const outboxRoutes = [
  defineRoute({
    method: "post",
    path: "/worker/run",
    auth: "job",
    tag: "Worker",
    summary: "Make the calls to providers, and the deliveries to webhooks, that are due",
    description: "For scheduled jobs, which know the secret of the worker. Several calls may run at the same time.",
    response: z.strictObject({
      handled: z
        .int()
        .min(0)
        .openapi({ description: "How many rows of the outbox and deliveries to webhooks were taken." }),
    }),
    calls: "lease_outbox",
    handler: runOutbox,
  }),
] as const;
