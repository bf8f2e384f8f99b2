import { z } from "@hono/zod-openapi";
import { id, time } from "./schemas.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";
import { bilingual } from "../words/bilingual.ts";

/** States of a call in the outbox. */
export const outboxState = z.enum(VALUE_LISTS["outbox.state"]);

/** A call to a provider that is still to be made. */
export const outboxRow = z
  .strictObject({
    id,
    kind: z.string().openapi({
      description: bilingual("close_payment, refund_payment and others.", "close_payment、refund_payment 等。"),
    }),
    key: z.string().openapi({
      description: bilingual("The number of the payment, refund or withdrawal.", "支付、退款或提现的单号。"),
    }),
    order_id: id.nullable(),
    withdrawal_id: id.nullable(),
    state: outboxState.openapi({
      description: bilingual(
        "failed: not tried again until an administrator retries it.",
        "failed：管理员重试前不再尝试。",
      ),
    }),
    attempts: z.int().min(0),
    run_after: time.openapi({
      description: bilingual("When the provider is called next.", "下次请求支付机构的时间。"),
    }),
    last_problem: z.string().nullable(),
    created_at: time,
  })
  .openapi("OutboxRow");
