import { z } from "@hono/zod-openapi";
import {
  accountMethod,
  estimatedTax,
  withdrawalFields,
  withdrawalMethod,
} from "../../_shared/resources/withdrawals.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  cursorPaging,
  id,
  idPath,
  logOf,
  money,
  moneyText,
  orNull,
  time,
  visibleText,
} from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

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
      description: bilingual(
        "While WeChat waits for the member: what wx.requestMerchantTransfer takes as mchId, appId and package, unchanged. docs/mobile.md has an example.",
        "微信等待会员确认期间：wx.requestMerchantTransfer 的 mchId、appId 与 package，原样传入。示例见 docs/mobile.md。",
      ),
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
          maximum: money.openapi({
            description: bilingual(
              "The most that the member can withdraw now. Below minimum: nothing.",
              "会员现在最多可提现的金额；低于 minimum 时不能提现。",
            ),
          }),
          name_from: money.nullable().openapi({
            description: bilingual(
              "From this amount on, payee_name is needed. Null: never.",
              "达到此金额时须填写 payee_name；null：始终不需要。",
            ),
          }),
        }),
      )
      .openapi({
        description: bilingual(
          "The ways that the member has. wechat only if they sign in with WeChat. All amounts are before the fee. Empty: none at present.",
          "会员可用的提现方式；仅以微信登录的会员有 wechat。金额均未减手续费。空：目前不能提现。",
        ),
      }),
    fee_rate: z.number().min(0).max(1),
    withdrawable: money.openapi({
      description:
        "What can be withdrawn now. Negative: a debt, for example because a refund took back commission that had been withdrawn.",
    }),
    held_by_refunds: money.openapi({
      description:
        "Matured commission that cannot be withdrawn while refunds of its orders are asked for. It is not part of withdrawable.",
    }),
    open_withdrawal_id: id.nullable().openapi({
      description: bilingual(
        "The withdrawal that is not finished. Another one can be requested when it has ended.",
        "未完成的提现；完成后才能再次申请。",
      ),
    }),
    obstacle: z
      .enum(["no_method", "withdrawal_open", "too_little"])
      .nullable()
      .openapi({
        description: bilingual(
          "Why the member can request no withdrawal now: no method, an open withdrawal, or less than every minimum.",
          "会员现在不能申请提现的原因：没有可用方式、有未完成的提现，或不足任一方式的最低金额。",
        ),
      }),
    real_name: orNull(z.strictObject({ amount_from: money, state: z.enum(["none", "given", "refused"]) })).openapi({
      description: bilingual(
        "From which amount on the member cannot withdraw before they have given their real name (none), it was checked (given), or they have given it again (refused). Null: nothing is missing.",
        "从哪一金额起，会员须先提交实名信息（none）、等待核验（given）或重新提交（refused）才能提现。null：无须处理。",
      ),
    }),
    fee: money
      .nullable()
      .openapi({ description: bilingual("The fee of the amount in the query.", "所查询金额的手续费。") }),
    estimated_tax: money.nullable().openapi({
      description: bilingual(
        "The tax of that amount if it were paid now; it is fixed when it is paid. Null if no tax is withheld.",
        "该金额现在付款时的个税，付款时确定；不代扣时为 null。",
      ),
    }),
    net_amount: money
      .nullable()
      .openapi({ description: bilingual("What the member would receive of that amount.", "该金额的会员实得。") }),
  })
  .openapi("WithdrawalTerms");

export const withdrawalRoutes = [
  defineRoute({
    method: "get",
    path: "/api/account",
    auth: "user",
    tag: "Withdrawals",
    summary: bilingual("The accounts to which the member withdraws, newest first", "会员的提现账户，最新的在前"),
    response: z.array(account),
    calls: "get_accounts",
  }),
  defineRoute({
    method: "post",
    path: "/api/account",
    auth: "user",
    tag: "Withdrawals",
    summary: bilingual("Add an account at a bank or at Alipay", "新增银行或支付宝账户"),
    description: bilingual(
      "At most 10. The same account again returns the existing one. The number is never returned whole.",
      "最多 10 个。重复提交同一账户返回已有账户。账号不会完整返回。",
    ),
    request: {
      body: z
        .strictObject({
          method: accountMethod,
          holder: visibleText(64),
          account_no: visibleText(64).openapi({
            description: bilingual(
              "Spaces are ignored. Alipay: a phone number or an email address.",
              "忽略空格。支付宝账号为手机号或邮箱地址。",
            ),
          }),
          bank: visibleText(64)
            .optional()
            .openapi({ description: bilingual("Only for a bank account, which needs it.", "仅银行账户填写且必填。") }),
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
    summary: bilingual("Delete an account to which no open withdrawal goes", "删除没有待处理提现的账户"),
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
    summary: bilingual("The member's withdrawals, newest first", "会员的提现，最新的在前"),
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
    summary: bilingual("What a member needs to know before a withdrawal", "提现前会员需要了解的信息"),
    request: {
      query: z.strictObject({
        amount: moneyText
          .optional()
          .openapi({ description: bilingual("Returns the fee of this amount.", "返回该金额的手续费。") }),
      }),
    },
    response: terms,
    calls: "get_withdrawal_terms",
  }),
  defineRoute({
    method: "get",
    path: "/api/withdrawal/{id}",
    auth: "user",
    tag: "Withdrawals",
    summary: bilingual(
      "A withdrawal of the member, with what opens the confirmation page of WeChat",
      "会员的一笔提现，含打开微信确认页所需的内容",
    ),
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
    summary: bilingual("Request a withdrawal of matured commission", "申请提现已可提的佣金"),
    description: bilingual(
      "The amount leaves the balance at once and returns if the withdrawal is refused or fails. A member has one open withdrawal at a time.",
      "金额立即从余额扣除；提现被拒绝或失败时退回。每位会员同时只能有一笔未完成的提现。",
    ),
    request: {
      body: z.strictObject({
        amount: moneyText,
        method: withdrawalMethod.openapi({
          description: bilingual(
            "wechat: to the WeChat account with which the member signs in.",
            "wechat：转到会员登录所用的微信账号。",
          ),
        }),
        account_id: id.optional().openapi({ description: bilingual("Not for wechat.", "wechat 不填。") }),
        payee_name: visibleText(64)
          .optional()
          .openapi({
            description: bilingual(
              "The member's full name. For wechat, if amount is at least name_from of the terms.",
              "会员的真实姓名；wechat 的金额达到提现须知的 name_from 时填写。",
            ),
          }),
      }),
    },
    status: 201,
    response: withdrawal,
    errors: [
      "account_not_found",
      "withdrawal_open",
      "withdrawal_exceeds_balance",
      "real_name_required",
      "account_leaving",
    ],
    calls: "create_withdrawal",
  }),
  defineRoute({
    method: "put",
    path: "/api/withdrawal/{id}/cancel",
    auth: "user",
    tag: "Withdrawals",
    summary: bilingual("Cancel a withdrawal that nobody has approved", "取消尚未批准的提现"),
    description: bilingual(
      "The amount returns to the balance at once. The same quota limits it as the cancellation of orders.",
      "金额立即退回余额。与取消订单共用次数限制。",
    ),
    request: { path: idPath },
    response: withdrawal,
    errors: ["withdrawal_not_found", "withdrawal_state_conflict", "too_many_requests"],
    calls: "cancel_withdrawal",
  }),
] as const;
