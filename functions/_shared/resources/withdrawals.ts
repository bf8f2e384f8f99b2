import { z } from "@hono/zod-openapi";
import { id, money, time } from "./schemas.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";
import { bilingual } from "../words/bilingual.ts";

/** Ways in which a member can withdraw. */
export const withdrawalMethod = z.enum(VALUE_LISTS["withdrawals.method"]);

/** Ways in which withdrawals are paid from a file. */
export const accountMethod = z.enum(VALUE_LISTS["payout_accounts.method"]);

export const withdrawalState = z.enum(VALUE_LISTS["withdrawals.state"]);

/** What WeChat says about a transfer. */
const transferState = z.enum(VALUE_LISTS["withdrawals.transfer_state"]);

/** The tax of a withdrawal whose tax is not fixed. */
export const estimatedTax = money.nullable().openapi({
  description: bilingual(
    "The tax if the withdrawal became paying now. Null if it is fixed, or no tax is withheld.",
    "现在开始付款时的个税；已确定或不代扣时为 null。",
  ),
});

/** The fields of a withdrawal. Schemas with more fields extend these. */
export const withdrawalFields = z.strictObject({
  id,
  withdrawal_no: z.string().openapi({
    description: bilingual(
      "The number of the payment. The same number is never paid twice.",
      "付款单号；同一单号不会重复付款。",
    ),
  }),
  method: withdrawalMethod,
  account: z.string().openapi({
    description: bilingual(
      "The bank and the masked number. Empty for a member whose account was deleted.",
      "银行与脱敏后的账号；会员已注销时为空。",
    ),
    example: "ICBC 622****1234",
  }),
  amount: money.openapi({ description: bilingual("What leaves the balance.", "从余额中扣除的金额。") }),
  fee: money,
  tax: money.openapi({
    description: bilingual(
      "What is withheld as income tax. Fixed when the withdrawal becomes paying, 0.00 until then.",
      "代扣的个税，在提现开始付款时确定，此前为 0.00。",
    ),
  }),
  net_amount: money.openapi({
    description: bilingual("What the member receives: the amount less fee and tax.", "会员实得：金额减手续费与个税。"),
  }),
  state: withdrawalState.openapi({
    description: bilingual(
      "requested: waits for a review. approved: is paid next. paying: a bank or WeChat was told to pay. refused, failed, cancelled (by the member): the amount has returned to the balance.",
      "requested：待审核。approved：待付款。paying：已通知银行或微信付款。refused、failed、cancelled（会员取消）：金额已退回余额。",
    ),
  }),
  transfer_state: transferState.nullable().openapi({
    description: bilingual(
      "For wechat, what WeChat last said. confirming: the member must confirm within a day. Null before its first response.",
      "提现到微信时，微信最近一次告知的状态。confirming：会员须在一天内确认。微信首次响应前为 null。",
    ),
  }),
  reason: z
    .string()
    .nullable()
    .openapi({
      description: bilingual(
        "Why it was refused or failed. For wechat, it may be a code of WeChat, such as OVERDUE_CLOSE: the member did not confirm in time.",
        "拒绝或失败的原因。提现到微信时可能为微信的代码，例如 OVERDUE_CLOSE：会员未及时确认。",
      ),
    }),
  add_time: time,
  approved_at: time.nullable(),
  paying_at: time.nullable(),
  ended_at: time.nullable(),
});
