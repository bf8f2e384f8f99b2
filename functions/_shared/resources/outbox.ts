import { z } from "@hono/zod-openapi";
import { id, time } from "./schemas.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";

/** States of a call in the outbox. */
export const outboxState = z.enum(VALUE_LISTS["outbox.state"]);

/** A call to a provider that is still to be made. */
export const outboxRow = z
  .strictObject({
    id,
    kind: z.string().openapi({ description: "close_payment, refund_payment and others." }),
    key: z.string().openapi({ description: "The number of the payment, refund or withdrawal." }),
    order_id: id.nullable(),
    withdrawal_id: id.nullable(),
    state: outboxState.openapi({ description: "failed: not tried again until an administrator retries it." }),
    attempts: z.int().min(0),
    run_after: time.openapi({ description: "When the provider is called next." }),
    last_problem: z.string().nullable(),
    created_at: time,
  })
  .openapi("OutboxRow");
