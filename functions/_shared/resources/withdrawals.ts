import { z } from "@hono/zod-openapi";
import { id, money, time } from "./schemas.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";

/** Ways in which a member can withdraw. */
export const withdrawalMethod = z.enum(VALUE_LISTS["withdrawals.method"]);

/** Ways in which withdrawals are paid from a file. */
export const accountMethod = z.enum(VALUE_LISTS["payout_accounts.method"]);

export const withdrawalState = z.enum(VALUE_LISTS["withdrawals.state"]);

/** What WeChat says about a transfer. */
const transferState = z.enum(VALUE_LISTS["withdrawals.transfer_state"]);

/** The tax of a withdrawal whose tax is not fixed. */
export const estimatedTax = money
  .nullable()
  .openapi({ description: "The tax if the withdrawal became paying now. Null if it is fixed, or no tax is withheld." });

/** The fields of a withdrawal. Schemas with more fields extend these. */
export const withdrawalFields = z.strictObject({
  id,
  withdrawal_no: z.string().openapi({ description: "The number of the payment. The same number is never paid twice." }),
  method: withdrawalMethod,
  account: z
    .string()
    .openapi({ description: "The bank and the masked number. Empty for a member whose account was deleted.", example: "ICBC 622****1234" }),
  amount: money.openapi({ description: "What leaves the balance." }),
  fee: money,
  tax: money.openapi({ description: "What is withheld as income tax. Fixed when the withdrawal becomes paying, 0.00 until then." }),
  net_amount: money.openapi({ description: "What the member receives: the amount less fee and tax." }),
  state: withdrawalState.openapi({
    description:
      "requested: waits for a review. approved: is paid next. paying: a bank or WeChat was told to pay. refused, failed, cancelled (by the member): the amount has returned to the balance.",
  }),
  transfer_state: transferState.nullable().openapi({
    description: "For wechat, what WeChat last said. confirming: the member must confirm within a day. Null before its first response.",
  }),
  reason: z.string().nullable().openapi({
    description:
      "Why it was refused or failed. For wechat, it may be a code of WeChat, such as OVERDUE_CLOSE: the member did not confirm in time.",
  }),
  add_time: time,
  approved_at: time.nullable(),
  paying_at: time.nullable(),
  ended_at: time.nullable(),
});
