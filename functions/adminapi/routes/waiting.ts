import { z } from "@hono/zod-openapi";
import { waitingKind } from "../../_shared/resources/waiting.ts";
import { defineRoute } from "../../_shared/route.ts";

const waiting = z
  .strictObject({
    list: z.array(
      z.strictObject({
        kind: waitingKind,
        count: z.int().min(0).max(1000),
        is_more: z.boolean().openapi({ description: "Whether there are more than the count, which ends at 1000." }),
      }),
    ),
  })
  .openapi("Waiting");

export const waitingRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/waiting",
    auth: "admin",
    tag: "Overview",
    summary: "How much waits for the caller, by kind",
    description:
      "Only kinds that the roles of the caller allow to deal with. What the caller may not decide does not wait for them: orders and balances of their own " +
      "member account, and what they have made or approved and a second administrator must decide. The lists of orders, withdrawals and adjustments show " +
      "the same rows with `waiting=<kind>`.",
    response: waiting,
    calls: "get_waiting",
    standby: true,
    revalidates: true,
  }),
] as const;
