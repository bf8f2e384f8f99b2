import { z } from "@hono/zod-openapi";
import { accountMethod, estimatedTax, withdrawalFields, withdrawalMethod } from "../../_shared/resources/withdrawals.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { cursorPaging, id, idPath, logOf, money, moneyText, orNull, time, visibleText } from "../../_shared/resources/schemas.ts";

const account = z
  .strictObject({
    id,
    method: accountMethod,
    holder: z.string(),
    account_no: z.string().openapi({ description: "Masked.", example: "622****1234" }),
    bank: z.string().nullable(),
    add_time: time,
  })
  .openapi("Account");

const withdrawal = withdrawalFields.openapi("Withdrawal");

const confirmation = z
  .strictObject({
    mch_id: z.string(),
    app_id: z.string(),
    package: z.string(),
  })
  .openapi("TransferConfirmation");

const ownWithdrawal = withdrawalFields
  .extend({
    estimated_tax: estimatedTax,
    confirmation: orNull(confirmation).openapi({
      description:
        "While WeChat waits for the member: what wx.requestMerchantTransfer takes as mchId, appId and package, unchanged. docs/mobile.md has an example.",
    }),
  })
  .openapi("OwnWithdrawal");

const terms = z
  .strictObject({
    methods: z
      .array(
        z.strictObject({
          method: withdrawalMethod,
          minimum: money,
          maximum: money.openapi({ description: "The most that the member can withdraw now. Below minimum: nothing." }),
          name_from: money.nullable().openapi({ description: "From this amount on, payee_name is needed. Null: never." }),
        }),
      )
      .openapi({
        description:
          "The ways that the member has. wechat only if they sign in with WeChat. All amounts are before the fee. Empty: none at present.",
      }),
    fee_rate: z.number().min(0).max(1),
    withdrawable: money.openapi({
      description:
        "What can be withdrawn now. Negative: a debt, for example because a refund took back commission that had been withdrawn.",
    }),
    held_by_refunds: money.openapi({
      description: "Matured commission that cannot be withdrawn while refunds of its orders are asked for. It is not part of withdrawable.",
    }),
    open_withdrawal_id: id
      .nullable()
      .openapi({ description: "The withdrawal that is not finished. Another one can be requested when it has ended." }),
    obstacle: z
      .enum(["no_method", "withdrawal_open", "too_little"])
      .nullable()
      .openapi({ description: "Why the member can request no withdrawal now: no method, an open withdrawal, or less than every minimum." }),
    real_name: orNull(z.strictObject({ amount_from: money, state: z.enum(["none", "given", "refused"]) })).openapi({
      description:
        "From which amount on the member cannot withdraw before they have given their real name (none), it was checked (given), or they have given it again (refused). Null: nothing is missing.",
    }),
    fee: money.nullable().openapi({ description: "The fee of the amount in the query." }),
    estimated_tax: money
      .nullable()
      .openapi({ description: "The tax of that amount if it were paid now; it is fixed when it is paid. Null if no tax is withheld." }),
    net_amount: money.nullable().openapi({ description: "What the member would receive of that amount." }),
  })
  .openapi("WithdrawalTerms");

export const withdrawalRoutes = [
  defineRoute({
    method: "get",
    path: "/api/account",
    auth: "user",
    tag: "Withdrawals",
    summary: "The accounts to which the member withdraws, newest first",
    response: z.array(account),
    calls: "get_accounts",
  }),
  defineRoute({
    method: "post",
    path: "/api/account",
    auth: "user",
    tag: "Withdrawals",
    summary: "Add an account at a bank or at Alipay",
    description: "At most 10. The same account again returns the existing one. The number is never returned whole.",
    request: {
      body: z
        .strictObject({
          method: accountMethod,
          holder: visibleText(64),
          account_no: visibleText(64).openapi({ description: "Spaces are ignored. Alipay: a phone number or an email address." }),
          bank: visibleText(64).optional().openapi({ description: "Only for a bank account, which needs it." }),
        })
        .openapi("AccountInput"),
    },
    status: 201,
    response: account,
    errors: ["too_many_accounts"],
    calls: "create_account",
  }),
  defineRoute({
    method: "delete",
    path: "/api/account/{id}",
    auth: "user",
    tag: "Withdrawals",
    summary: "Delete an account to which no open withdrawal goes",
    request: { path: idPath },
    response: z.strictObject({ id }),
    errors: ["account_not_found", "account_in_use"],
    calls: "delete_account",
  }),
  defineRoute({
    method: "get",
    path: "/api/withdrawal",
    auth: "user",
    tag: "Withdrawals",
    summary: "The member's withdrawals, newest first",
    request: { query: cursorPaging },
    response: logOf(withdrawal),
    calls: "get_withdrawals",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/withdrawal/terms",
    auth: "user",
    tag: "Withdrawals",
    summary: "What a member needs to know before a withdrawal",
    request: { query: z.strictObject({ amount: moneyText.optional().openapi({ description: "Returns the fee of this amount." }) }) },
    response: terms,
    calls: "get_withdrawal_terms",
  }),
  defineRoute({
    method: "get",
    path: "/api/withdrawal/{id}",
    auth: "user",
    tag: "Withdrawals",
    summary: "A withdrawal of the member, with what opens the confirmation page of WeChat",
    request: { path: idPath },
    response: ownWithdrawal,
    errors: ["withdrawal_not_found"],
    calls: "get_withdrawal",
  }),
  defineRoute({
    method: "post",
    path: "/api/withdrawal",
    auth: "user",
    tag: "Withdrawals",
    summary: "Request a withdrawal of matured commission",
    description:
      "The amount leaves the balance at once and returns if the withdrawal is refused or fails. A member has one open withdrawal at a time.",
    request: {
      body: z.strictObject({
        amount: moneyText,
        method: withdrawalMethod.openapi({ description: "wechat: to the WeChat account with which the member signs in." }),
        account_id: id.optional().openapi({ description: "Not for wechat." }),
        payee_name: visibleText(64)
          .optional()
          .openapi({ description: "The member's full name. For wechat, if amount is at least name_from of the terms." }),
      }),
    },
    status: 201,
    response: withdrawal,
    errors: ["account_not_found", "withdrawal_open", "withdrawal_exceeds_balance", "real_name_required", "account_leaving"],
    calls: "create_withdrawal",
  }),
  defineRoute({
    method: "put",
    path: "/api/withdrawal/{id}/cancel",
    auth: "user",
    tag: "Withdrawals",
    summary: "Cancel a withdrawal that nobody has approved",
    description: "The amount returns to the balance at once. The same quota limits it as the cancellation of orders.",
    request: { path: idPath },
    response: withdrawal,
    errors: ["withdrawal_not_found", "withdrawal_state_conflict", "too_many_requests"],
    calls: "cancel_withdrawal",
  }),
] as const;
