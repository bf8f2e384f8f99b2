import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { accountMethod, withdrawalFields, withdrawalMethod, withdrawalState } from "../../_shared/resources/withdrawals.ts";
import { defineRoute } from "../../_shared/route.ts";
import { cursorPaging, id, idPath, idText, listOf, logOf, money, paging, period, time, visibleText } from "../../_shared/schemas.ts";
import { serveBatchFile } from "../serve_batch_file.ts";

const adminFields = withdrawalFields.extend({
  uid: id,
  nickname: z.string(),
  payment_ref: z.string().nullable().openapi({ description: "The reference of the payment at the bank." }),
  batch_id: id.nullable(),
});

const adminWithdrawal = adminFields.openapi("AdminWithdrawal");

const withdrawalPage = adminFields.extend({
  withdrawable: money.openapi({ description: "What the member can withdraw now. Negative if refunds took back commission that this withdrawal takes out." }),
  batch_no: z.string().nullable(),
  payee: z.strictObject({ holder: z.string(), account_no: z.string(), bank: z.string().nullable() }).nullable().openapi({
    description: "The whole account. Null for administrators without the area money, for wechat, and for a member whose account was deleted.",
  }),
}).openapi("WithdrawalPage");

const batch = z.strictObject({
  id,
  batch_no: z.string().openapi({ example: "B00000001" }),
  method: accountMethod,
  withdrawals: z.int().min(1),
  amount: money.openapi({ description: "What the bank pays: the amounts less the fees." }),
  paying: z.int().min(0).openapi({ description: "How many withdrawals have not ended." }),
  paid: z.int().min(0),
  failed: z.int().min(0),
  created_by: actor,
  add_time: time,
}).openapi("WithdrawalBatch");

const ids = z.array(id).min(1).max(1000);
const reason = z.strictObject({ reason: visibleText(500).openapi({ description: "The member sees it." }) });
const paymentRef = z.strictObject({ payment_ref: visibleText(128).optional() }).optional();

const debt = z.strictObject({
  uid: id,
  nickname: z.string(),
  brokerage_price: money.openapi({ description: "The balance of commission." }),
  maturing: money.openapi({ description: "The part of it that cannot be withdrawn yet." }),
  debt: money.openapi({ description: "How far what can be withdrawn is below zero. The next commission repays it." }),
  open_withdrawal_id: id.nullable().openapi({ description: "A withdrawal that is not finished. Refusing it reduces the debt." }),
}).openapi("Debt");

export const withdrawalRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/withdrawal",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Withdrawals of all members, newest first",
    request: {
      query: cursorPaging.extend({
        state: withdrawalState.optional(),
        method: withdrawalMethod.optional(),
        uid: idText.optional(),
        batch_id: idText.optional(),
        ...period,
      }),
    },
    response: logOf(adminWithdrawal).extend({
      states: z.record(withdrawalState, z.int().min(0)).openapi({ description: "How many there are in each state, with the other filters." }),
    }),
    calls: "admin_get_withdrawals",
    args: ({ query }) => ({
      p_state: query.state,
      p_method: query.method,
      p_uid: query.uid,
      p_batch_id: query.batch_id,
      p_from: query.from,
      p_to: query.to,
      p_page: query.page,
      p_limit: query.limit,
      p_cursor: query.cursor,
    }),
  }),
  // Before the path with an id, because the first route that matches is called.
  defineRoute({
    method: "get",
    path: "/adminapi/withdrawal/batch",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Batches for banks, newest first",
    request: { query: paging },
    response: listOf(batch),
    calls: "get_withdrawal_batches",
    args: ({ query }) => ({ p_page: query.page, p_limit: query.limit }),
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/withdrawal/batch",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Put approved withdrawals into a batch for a bank or Alipay",
    description: "Takes the named withdrawals, or all that are approved, at most the 10,000 oldest, without the administrator's own. From then on they are paying.",
    request: { body: z.strictObject({ method: accountMethod, ids: ids.optional() }) },
    status: 201,
    response: batch,
    errors: ["own_account", "withdrawal_not_found", "withdrawal_state_conflict"],
    calls: "create_withdrawal_batch",
    args: ({ body }) => ({ p_method: body.method, p_ids: body.ids }),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/withdrawal/batch/{id}",
    auth: "admin",
    tag: "Withdrawals",
    summary: "The file of a batch for the bank, as CSV",
    description: "UTF-8 with a byte order mark. The titles are in English or Chinese, depending on Accept-Language. The same rows each time; the account of a member who was deleted since is empty.",
    request: { path: idPath },
    response: z.string().openapi({ description: "Withdrawal number, account holder, bank, account number, amount." }),
    media: "text/csv",
    errors: ["withdrawal_not_found"],
    calls: "get_withdrawal_batch_rows",
    handler: serveBatchFile,
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal/batch/{id}/paid",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Record that all withdrawals of a batch were paid that have not ended",
    description: "Record those that failed before.",
    request: { path: idPath, body: paymentRef },
    response: batch,
    errors: ["withdrawal_not_found"],
    calls: "mark_withdrawal_batch_paid",
    args: ({ path, body }) => ({ p_id: path.id, p_payment_ref: body?.payment_ref }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal/approve",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Approve several requested withdrawals, all or none",
    request: { body: z.strictObject({ ids }) },
    response: z.strictObject({ ids: z.array(id) }),
    errors: ["own_account", "withdrawal_not_found", "account_not_found", "withdrawal_state_conflict"],
    calls: "approve_withdrawals",
    args: ({ body }) => ({ p_ids: body.ids }),
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
    args: ({ path }) => ({ p_id: path.id }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal/{id}/approve",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Approve a requested withdrawal",
    request: { path: idPath },
    response: adminWithdrawal,
    errors: ["own_account", "withdrawal_not_found", "account_not_found", "withdrawal_state_conflict"],
    calls: "approve_withdrawal",
    args: ({ path }) => ({ p_id: path.id }),
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
    args: ({ path, body }) => ({ p_id: path.id, p_reason: body.reason }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal/{id}/paid",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Record that a withdrawal was paid",
    request: { path: idPath, body: paymentRef },
    response: adminWithdrawal,
    errors: ["own_account", "withdrawal_not_found", "withdrawal_state_conflict"],
    calls: "mark_withdrawal_paid",
    args: ({ path, body }) => ({ p_id: path.id, p_payment_ref: body?.payment_ref }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal/{id}/failed",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Record that the payment of a withdrawal failed",
    description: "The amount returns to the balance. Only when the bank has said so: a payment whose result is unknown stays paying.",
    request: { path: idPath, body: reason },
    response: adminWithdrawal,
    errors: ["own_account", "withdrawal_not_found", "withdrawal_state_conflict"],
    calls: "mark_withdrawal_failed",
    args: ({ path, body }) => ({ p_id: path.id, p_reason: body.reason }),
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
    args: ({ query }) => ({ p_page: query.page, p_limit: query.limit }),
  }),
] as const;
