import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { outboxRow } from "../../_shared/resources/outbox.ts";
import { accountMethod, estimatedTax, withdrawalFields, withdrawalMethod, withdrawalState } from "../../_shared/resources/withdrawals.ts";
import { waitingFilter } from "../../_shared/resources/waiting.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  cursorPaging,
  id,
  idPath,
  idText,
  listOf,
  logOf,
  money,
  moneyText,
  orNull,
  paging,
  period,
  sortBy,
  time,
  visibleParagraphs,
  visibleText,
} from "../../_shared/resources/schemas.ts";
import { serveCsv } from "../../_shared/files/serve_csv.ts";
import { serveXlsx } from "../../_shared/files/serve_xlsx.ts";
import { XLSX } from "../../_shared/files/workbook.ts";
import { serveBatchFile } from "../serve_batch_file.ts";

const adminFields = withdrawalFields.extend({
  uid: id,
  nickname: z.string(),
  payment_ref: z.string().nullable().openapi({ description: "The reference of the payment at the bank." }),
  batch_id: id.nullable(),
  approved_by: actor.openapi({
    description: "Who approved it; while it waits, who approved it first. Another administrator must pay it, if there is one.",
  }),
  waits: z
    .boolean()
    .openapi({ description: "Whether one administrator has approved it and, above the limit of a day, a second one must, too." }),
  debt: money.nullable().openapi({
    description:
      "The commission that the member owes while the withdrawal has not ended, because refunds took back what it pays out. Refusing it reduces the debt. Null if nothing is owed.",
  }),
  held_by_refunds: money.nullable().openapi({
    description:
      "How much of it open refund requests would take back, beyond what the balance covers, while nobody was told to pay it. To approve or pay it in spite of that, repeat the amount. Null if nothing is held.",
  }),
});

/** The amount of `held_by_refunds`, repeated by somebody who goes on in spite of it. */
const heldByRefunds = moneyText.optional().openapi({
  description: "What open refund requests hold of it, to go on in spite of them. Otherwise the answer is held_by_refunds, which states it.",
});

const adminWithdrawal = adminFields.openapi("AdminWithdrawal");

const withdrawalPage = adminFields
  .extend({
    estimated_tax: estimatedTax,
    withdrawable: money.openapi({ description: "What the member can withdraw now. Negative if the member has a debt." }),
    held_orders: z.array(z.strictObject({ order_id: id, order_no: z.string(), refund_id: id, amount: money })).openapi({
      description:
        "The orders of which buyers ask for a refund, with the member's commission. Empty once a bank or WeChat was told to pay.",
    }),
    batch_no: z.string().nullable(),
    transfer: z
      .strictObject({
        provider_ref: z.string().nullable().openapi({ description: "WeChat's number of the transfer." }),
        asked_at: time.nullable().openapi({ description: "When WeChat was last asked to transfer." }),
        cancelled_at: time.nullable().openapi({ description: "When an administrator cancelled the transfer." }),
        ends_by_hand: z
          .boolean()
          .openapi({ description: "Whether WeChat no longer says how it ended, which it does for 30 days, so that an administrator can." }),
        call: orNull(outboxRow).openapi({
          description: "The call to WeChat that is still to be made. PUT /adminapi/outbox/{id}/retry asks again now.",
        }),
      })
      .nullable()
      .openapi({ description: "Null unless the withdrawal is to WeChat." }),
    payee: z.strictObject({ holder: z.string(), account_no: z.string(), bank: z.string().nullable() }).nullable().openapi({
      description:
        "The whole account. Null for administrators without the area money, for wechat, and for a member whose account was deleted.",
    }),
  })
  .openapi("WithdrawalPage");

const batch = z
  .strictObject({
    id,
    batch_no: z.string().openapi({ example: "B00000001" }),
    method: accountMethod,
    withdrawals: z.int().min(1),
    amount: money.openapi({ description: "What the bank pays: the amounts less fees and taxes." }),
    tax: money.openapi({ description: "What was withheld as tax of its withdrawals." }),
    paying: z.int().min(0).openapi({ description: "How many withdrawals have not ended." }),
    paid: z.int().min(0),
    failed: z.int().min(0),
    created_by: actor,
    add_time: time,
  })
  .openapi("WithdrawalBatch");

const batchPreview = z
  .strictObject({
    method: accountMethod,
    withdrawals: z.int().min(0).openapi({ description: "How many withdrawals the batch would take." }),
    held: z.int().min(0).openapi({ description: "How many of these withdrawals pay out commission that open refund requests hold." }),
    held_by_refunds: money.nullable().openapi({
      description:
        "How much commission is held in total. To put it into the batch all the same, send this amount as held_by_refunds. Null if nothing is held.",
    }),
  })
  .openapi("WithdrawalBatchPreview");

const ids = z.array(id).min(1).max(1000);

/** Why a withdrawal cannot be approved. */
const approvalErrors = [
  "own_account",
  "withdrawal_not_found",
  "account_not_found",
  "second_administrator_needed",
  "withdrawal_state_conflict",
  "held_by_refunds",
] as const;

const approval = z
  .strictObject({
    lines: z.array(
      z.strictObject({
        id,
        withdrawal_no: z.string().nullable().openapi({ description: "Null if there is no such withdrawal." }),
        result: z.enum(["approved", "waits", "rejected"]).openapi({
          description: "approved: now or before. waits: for a second administrator, who approves it, too. rejected: it cannot be approved.",
        }),
        problem: z
          .enum(approvalErrors)
          .nullable()
          .openapi({ description: "The code of the error with which it cannot be approved alone." }),
      }),
    ),
  })
  .openapi("WithdrawalApproval");

const reason = z.strictObject({ reason: visibleParagraphs(500).openapi({ description: "The member sees it." }) });
const paymentRef = z.strictObject({ payment_ref: visibleText(128).optional() }).optional();
const payment = z.strictObject({ payment_ref: visibleText(128).optional(), held_by_refunds: heldByRefunds }).optional();

const debt = z
  .strictObject({
    uid: id,
    nickname: z.string(),
    brokerage_price: money.openapi({ description: "The balance of commission." }),
    maturing: money.openapi({ description: "The part of it that cannot be withdrawn yet." }),
    debt: money.openapi({ description: "How far what can be withdrawn is below zero. The next commission repays it." }),
    open_withdrawal_id: id.nullable().openapi({ description: "A withdrawal that is not finished. Refusing it reduces the debt." }),
  })
  .openapi("Debt");

export const withdrawalRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/withdrawal",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Withdrawals of all members",
    request: {
      query: cursorPaging.extend({
        state: withdrawalState.optional(),
        method: withdrawalMethod.optional(),
        uid: idText.optional(),
        waiting: waitingFilter("withdrawal_approval", "withdrawal_payment"),
        batch_id: idText.optional(),
        ...period,
        sort: sortBy(["id", "ended_at"], "-id", " Withdrawals that have not ended have no ended_at and are left out by it."),
      }),
    },
    response: logOf(adminWithdrawal).extend({
      states: z
        .record(withdrawalState, z.int().min(0))
        .openapi({ description: "How many there are in each state, with the other filters." }),
    }),
    calls: "admin_get_withdrawals",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/withdrawal_batch",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Batches for banks, newest first",
    request: { query: paging },
    response: listOf(batch),
    calls: "get_withdrawal_batches",
    standby: true,
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/withdrawal/batch",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Put approved withdrawals into a batch for a bank or Alipay",
    description:
      "Takes the named withdrawals, or all that are approved, at most the 10,000 oldest, without the administrator's own and, if another administrator can pay them, without those that the administrator approved. From then on they are paying.",
    request: {
      body: z.strictObject({
        method: accountMethod,
        ids: ids.optional(),
        held_by_refunds: moneyText.optional().openapi({
          description:
            "What open refund requests hold of all of them together, to go on in spite of that. Otherwise the answer is held_by_refunds, which names them and the sum.",
        }),
        leaves_out_held: z.boolean().optional().openapi({
          description: "Whether those of which refund requests hold something stay as they are, and the others go into the batch.",
        }),
      }),
    },
    status: 201,
    response: batch,
    errors: ["own_account", "withdrawal_not_found", "second_administrator_needed", "withdrawal_state_conflict", "held_by_refunds"],
    calls: "create_withdrawal_batch",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/withdrawal/batch/preview",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Preview a batch of all approved withdrawals of a method, and what refund requests hold of it",
    description: "Writes nothing.",
    request: { body: z.strictObject({ method: accountMethod }) },
    response: batchPreview,
    calls: "preview_withdrawal_batch",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/withdrawal_batch/{id}",
    auth: "admin",
    tag: "Withdrawals",
    summary: "The file of a batch for the bank, as CSV",
    description:
      "UTF-8 with a byte order mark. The titles are in English or Chinese, depending on Accept-Language. The same rows each time; the account of a member who was deleted since is empty.",
    request: { path: idPath },
    response: z.string().openapi({ description: "Withdrawal number, account holder, bank, account number, amount." }),
    media: "text/csv",
    errors: ["withdrawal_not_found"],
    calls: "get_withdrawal_batch_rows",
    handler: serveBatchFile(serveCsv),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/withdrawal_batch/{id}/xlsx",
    auth: "admin",
    tag: "Withdrawals",
    summary: "The file of a batch for the bank, as an Excel workbook",
    description:
      "The rows of the CSV file. Account numbers are text, so that no program rounds them or drops a leading zero; amounts are numbers with two decimals.",
    request: { path: idPath },
    response: z.string().openapi({ format: "binary" }),
    media: XLSX,
    errors: ["withdrawal_not_found"],
    calls: "get_withdrawal_batch_rows",
    handler: serveBatchFile(serveXlsx),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal_batch/{id}/paid",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Record that all withdrawals of a batch were paid that have not ended",
    description: "Record those that failed before.",
    request: { path: idPath, body: paymentRef },
    response: batch,
    errors: ["withdrawal_not_found", "second_administrator_needed"],
    calls: "mark_withdrawal_batch_paid",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal/approve",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Approve several requested withdrawals",
    description:
      "Each is approved as by PUT /adminapi/withdrawal/{id}/approve, in the sequence of the ids. One that cannot be approved, or of which refund requests hold something, stops no other. If none can, the response is the error of the last.",
    request: { body: z.strictObject({ ids }) },
    response: approval,
    errors: approvalErrors,
    calls: "approve_withdrawals",
    afterwards: ({ work }) => work(),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/withdrawal/{id}",
    auth: "admin",
    tag: "Withdrawals",
    summary: "One withdrawal, with its whole account for administrators of money",
    request: { path: idPath },
    response: withdrawalPage,
    errors: ["withdrawal_not_found"],
    calls: "admin_get_withdrawal",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal/{id}/approve",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Approve a requested withdrawal",
    description:
      "Above the limit of a day, it waits for a second administrator, who approves it, too. If it is to WeChat, WeChat is asked in the background to transfer it. An approved transfer that refund requests hold since then goes on after another approval with their amount.",
    request: { path: idPath, body: z.strictObject({ held_by_refunds: heldByRefunds }).optional() },
    response: adminWithdrawal,
    errors: approvalErrors,
    calls: "approve_withdrawal",
    afterwards: ({ work }) => work(),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal/{id}/cancel",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Have WeChat cancel a transfer that the member has not confirmed",
    description:
      "In the background. The withdrawal is paying until WeChat says how it ended; if it was cancelled, the amount returns to the balance.",
    request: { path: idPath },
    response: adminWithdrawal,
    errors: ["own_account", "withdrawal_not_found", "withdrawal_state_conflict"],
    calls: "cancel_transfer",
    afterwards: ({ work }) => work(),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal/{id}/refuse",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Refuse a withdrawal that no bank was told to pay",
    description: "The amount returns to the balance.",
    request: { path: idPath, body: reason },
    response: adminWithdrawal,
    errors: ["own_account", "withdrawal_not_found", "withdrawal_state_conflict"],
    calls: "refuse_withdrawal",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal/{id}/paid",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Record that a withdrawal was paid",
    description:
      "With tax on, a withdrawal must be paying: its tax is fixed then. Not for wechat: WeChat itself says how its transfers end. After 30 days it no longer does, and this is allowed.",
    request: { path: idPath, body: payment },
    response: adminWithdrawal,
    errors: ["own_account", "withdrawal_not_found", "second_administrator_needed", "withdrawal_state_conflict", "held_by_refunds"],
    calls: "mark_withdrawal_paid",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal/{id}/failed",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Record that the payment of a withdrawal failed",
    description:
      "The amount returns to the balance. Only when the bank has said so: a payment whose result is unknown stays paying. WeChat itself says how its transfers end.",
    request: { path: idPath, body: reason },
    response: adminWithdrawal,
    errors: ["own_account", "withdrawal_not_found", "withdrawal_state_conflict"],
    calls: "mark_withdrawal_failed",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/debt",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Members who were paid more commission than refunds left them, the largest debt first",
    request: { query: paging },
    response: listOf(debt).extend({ total: money.openapi({ description: "The sum of all debts." }) }),
    calls: "get_debts",
    standby: true,
  }),
] as const;
