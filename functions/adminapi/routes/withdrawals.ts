import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { outboxRow } from "../../_shared/resources/outbox.ts";
import {
  estimatedTax,
  withdrawalFields,
  withdrawalMethod,
  withdrawalState,
} from "../../_shared/resources/withdrawals.ts";
import { waitingFilter } from "../../_shared/resources/waiting.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  cursorPaging,
  id,
  idPath,
  ids,
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
import { bilingual } from "../../_shared/words/bilingual.ts";
import { signalsOfMember } from "./signals.ts";

const adminFields = withdrawalFields.extend({
  uid: id,
  nickname: z.string(),
  payment_ref: z
    .string()
    .nullable()
    .openapi({ description: bilingual("The reference of the payment at the bank.", "银行的付款凭证号。") }),
  batch_id: id.nullable(),
  approved_by: actor.openapi({
    description: bilingual(
      "Who approved it; while it waits, who approved it first. Another administrator must pay it, if there is one.",
      "批准的管理员；等待期间为第一位批准人。有其他管理员时，须由另一位付款。",
    ),
  }),
  waits: z.boolean().openapi({
    description: bilingual(
      "Whether one administrator has approved it and, above the limit of a day, a second one must, too.",
      "是否已由一位管理员批准，但超过单日限额，须由第二位同样批准。",
    ),
  }),
  debt: money.nullable().openapi({
    description: bilingual(
      "The commission that the member owes while the withdrawal has not ended, because refunds took back what it pays out. Refusing it reduces the debt. Null if nothing is owed.",
      "提现未结束期间会员所欠的佣金：退款冲回了此笔提现所含的佣金，拒绝该笔提现可减少欠款。没有欠款时为 null。",
    ),
  }),
  held_by_refunds: money.nullable().openapi({
    description: bilingual(
      "How much of it open refund requests would take back, beyond what the balance covers, while nobody was told to pay it. To approve or pay it in spite of that, repeat the amount. Null if nothing is held.",
      "尚未通知任何一方付款时，该笔提现中因退款申请可能被冲回、且余额不足以抵扣的金额。如仍要批准或付款，请重复填写该金额。没有暂扣时为 null。",
    ),
  }),
});

/** The amount of `held_by_refunds`, repeated by somebody who goes on in spite of it. */
const heldByRefunds = moneyText.optional().openapi({
  description: bilingual(
    "What open refund requests hold of it, to go on in spite of them. Otherwise the answer is held_by_refunds, which states it.",
    "退款申请在该笔提现中暂扣的金额，填写后可继续；否则返回 held_by_refunds 并说明该金额。",
  ),
});

const adminWithdrawal = adminFields.openapi("AdminWithdrawal");

const listedWithdrawal = adminFields.extend({ signals: signalsOfMember }).openapi("ListedWithdrawal");

const withdrawalPage = adminFields
  .extend({
    signals: signalsOfMember,
    estimated_tax: estimatedTax,
    withdrawable: money.openapi({
      description: bilingual(
        "What the member can withdraw now. Negative if the member has a debt.",
        "会员现在可提现的金额；会员有欠款时为负。",
      ),
    }),
    held_orders: z.array(z.strictObject({ order_id: id, order_no: z.string(), refund_id: id, amount: money })).openapi({
      description: bilingual(
        "The orders of which buyers ask for a refund, with the member's commission. Empty once a bank or WeChat was told to pay.",
        "买家正在申请退款的订单及该会员的相应佣金；已通知银行或微信付款后为空。",
      ),
    }),
    batch_no: z.string().nullable(),
    transfer: z
      .strictObject({
        provider_ref: z
          .string()
          .nullable()
          .openapi({ description: bilingual("WeChat's number of the transfer.", "微信的转账单号。") }),
        asked_at: time.nullable().openapi({
          description: bilingual("When WeChat was last asked to transfer.", "最近一次请求微信转账的时间。"),
        }),
        cancelled_at: time.nullable().openapi({
          description: bilingual("When an administrator cancelled the transfer.", "管理员撤销转账的时间。"),
        }),
        ends_by_hand: z.boolean().openapi({
          description: bilingual(
            "Whether WeChat no longer says how it ended, which it does for 30 days, so that an administrator can.",
            "微信是否已不再告知转账结果（30 天内告知），因而可由管理员登记。",
          ),
        }),
        call: orNull(outboxRow).openapi({
          description: bilingual(
            "The call to WeChat that is still to be made. PUT /adminapi/outbox/{id}/retry asks again now.",
            "待发往微信的请求。PUT /adminapi/outbox/{id}/retry 立即重新请求。",
          ),
        }),
      })
      .nullable()
      .openapi({ description: bilingual("Null unless the withdrawal is to WeChat.", "不是提现到微信的为 null。") }),
    payee: z
      .strictObject({ holder: z.string(), account_no: z.string(), bank: z.string().nullable() })
      .nullable()
      .openapi({
        description: bilingual(
          "The whole account. Null for administrators without the area money, for wechat, and for a member whose account was deleted.",
          "完整的收款账户。没有权限范围 money 的管理员、提现到微信，以及会员已注销的为 null。",
        ),
      }),
  })
  .openapi("WithdrawalPage");

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
        withdrawal_no: z
          .string()
          .nullable()
          .openapi({ description: bilingual("Null if there is no such withdrawal.", "没有该笔提现时为 null。") }),
        result: z.enum(["approved", "waits", "rejected"]).openapi({
          description: bilingual(
            "approved: now or before. waits: for a second administrator, who approves it, too. rejected: it cannot be approved.",
            "approved：本次或此前已批准。waits：待第二位管理员同样批准。rejected：不能批准。",
          ),
        }),
        problem: z
          .enum(approvalErrors)
          .nullable()
          .openapi({
            description: bilingual(
              "The code of the error with which it cannot be approved alone.",
              "单独批准该笔时的错误代码。",
            ),
          }),
      }),
    ),
  })
  .openapi("WithdrawalApproval");

const approvalPreview = z
  .strictObject({
    ids: z.array(id).openapi({
      description: bilingual(
        "Those that need no further look: approving exactly these approves them all, unless something changes meanwhile.",
        "无须另行查看的提现：如期间没有变化，批准这些 id 即全部批准。",
      ),
    }),
    amount: money.openapi({ description: bilingual("Their sum.", "其合计金额。") }),
    left_out: z
      .array(
        z.strictObject({
          id,
          withdrawal_no: z.string(),
          uid: id,
          nickname: z.string(),
          amount: money,
          reasons: z
            .array(
              z.enum([
                "withdrawal_state_conflict",
                "own_account",
                "held_by_refunds",
                "debt",
                "signal",
                "second_administrator",
              ]),
            )
            .openapi({
              description: bilingual(
                "withdrawal_state_conflict: is not requested. own_account: is your own. held_by_refunds, debt: as in the list. signal: see signals. second_administrator: your approval alone does not suffice, after those in ids.",
                "withdrawal_state_conflict：不是待审核。own_account：您本人的提现。held_by_refunds、debt：同列表。signal：见 signals。second_administrator：批准 ids 中的提现后，仅由您批准不够。",
              ),
            }),
          signals: signalsOfMember,
          can_be_approved: z.boolean().openapi({
            description: bilingual(
              "Whether PUT /adminapi/withdrawal/approve takes it, too. Above the limit of a day, it then waits for a second administrator.",
              "PUT /adminapi/withdrawal/approve 是否同样接受该笔；超出每日限额的，随后等待第二位管理员。",
            ),
          }),
        }),
      )
      .openapi({ description: bilingual("The others, with the reasons.", "其余提现及原因。") }),
  })
  .openapi("ApprovalPreview");

const reason = z.strictObject({
  reason: visibleParagraphs(500).openapi({ description: bilingual("The member sees it.", "会员可以看到。") }),
});
const payment = z.strictObject({ payment_ref: visibleText(128).optional(), held_by_refunds: heldByRefunds }).optional();

const debt = z
  .strictObject({
    uid: id,
    nickname: z.string(),
    brokerage_price: money.openapi({ description: bilingual("The balance of commission.", "佣金余额。") }),
    maturing: money.openapi({
      description: bilingual("The part of it that cannot be withdrawn yet.", "其中尚不能提现的部分。"),
    }),
    debt: money.openapi({
      description: bilingual(
        "How far what can be withdrawn is below zero. The next commission repays it.",
        "可提现金额低于零的部分，由后续佣金抵扣。",
      ),
    }),
    open_withdrawal_id: id.nullable().openapi({
      description: bilingual(
        "A withdrawal that is not finished. Refusing it reduces the debt.",
        "未完成的提现；拒绝该笔提现可减少欠款。",
      ),
    }),
  })
  .openapi("Debt");

export const withdrawalRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/withdrawal",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual("Withdrawals of all members", "全部会员的提现"),
    request: {
      query: cursorPaging.extend({
        state: withdrawalState.optional(),
        method: withdrawalMethod.optional(),
        uid: idText.optional(),
        waiting: waitingFilter("withdrawal_approval", "withdrawal_payment"),
        batch_id: idText.optional(),
        ...period,
        sort: sortBy(
          "admin_get_withdrawals",
          " Withdrawals that have not ended have no ended_at and are left out by it.",
        ),
      }),
    },
    response: logOf(listedWithdrawal).extend({
      states: z.record(withdrawalState, z.int().min(0)).openapi({
        description: bilingual(
          "How many there are in each state, with the other filters.",
          "按其他筛选条件，各状态的笔数。",
        ),
      }),
    }),
    calls: "admin_get_withdrawals",
    standby: true,
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal/approve",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual("Approve several requested withdrawals", "批量批准提现申请"),
    description: bilingual(
      "Each is approved as by PUT /adminapi/withdrawal/{id}/approve, in the sequence of the ids. One that cannot be approved, or of which refund requests hold something, stops no other. If none can, the response is the error of the last.",
      "逐笔按 PUT /adminapi/withdrawal/{id}/approve 批准，按 id 的顺序。某笔不能批准或因退款申请暂扣不影响其他；全部不能批准时返回最后一笔的错误。",
    ),
    request: { body: z.strictObject({ ids }) },
    response: approval,
    errors: approvalErrors,
    calls: "approve_withdrawals",
    afterwards: ({ work }) => work(),
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/withdrawal/approve/preview",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual(
      "Preview an approval of several withdrawals: which need no further look, and why the others do",
      "预览批量批准：哪些提现无须另行查看，其余的原因",
    ),
    description: bilingual(
      "Writes nothing. A withdrawal needs no further look if it is requested, has no signal, no debt and nothing held by refund requests, and your approval alone suffices.",
      "不写入任何数据。无须另行查看的提现：待审核，没有风险预警、欠款和退款暂扣，且仅由您批准即可。",
    ),
    request: { body: z.strictObject({ ids }) },
    response: approvalPreview,
    errors: ["withdrawal_not_found"],
    calls: "preview_approvals",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/withdrawal/{id}",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual(
      "One withdrawal, with its whole account for administrators of money",
      "一笔提现，资金管理员可见完整账户",
    ),
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
    summary: bilingual("Approve a requested withdrawal", "批准提现申请"),
    description: bilingual(
      "Above the limit of a day, it waits for a second administrator, who approves it, too. If it is to WeChat, WeChat is asked in the background to transfer it. An approved transfer that refund requests hold since then goes on after another approval with their amount.",
      "超出每日限额时，等待第二位管理员同样批准。提现到微信时，在后台请求微信转账。批准之后因退款申请暂扣的微信转账，须填写该金额再次批准后才继续。",
    ),
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
    summary: bilingual(
      "Have WeChat cancel a transfer that the member has not confirmed",
      "请微信撤销会员尚未确认的转账",
    ),
    description: bilingual(
      "In the background. The withdrawal is paying until WeChat says how it ended; if it was cancelled, the amount returns to the balance.",
      "在后台进行。微信给出结果前提现为付款中；撤销后金额退回余额。",
    ),
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
    summary: bilingual("Refuse a withdrawal that no bank was told to pay", "拒绝尚未通知银行付款的提现"),
    description: bilingual("The amount returns to the balance.", "金额退回余额。"),
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
    summary: bilingual("Record that a withdrawal was paid", "登记提现已付款"),
    description: bilingual(
      "With tax on, a withdrawal must be paying: its tax is fixed then. Not for wechat: WeChat itself says how its transfers end. After 30 days it no longer does, and this is allowed.",
      "启用代扣税款时，提现须为付款中，其税款已确定。不适用于微信：微信会告知转账结果；30 天后不再告知，此时可以登记。",
    ),
    request: { path: idPath, body: payment },
    response: adminWithdrawal,
    errors: [
      "own_account",
      "withdrawal_not_found",
      "second_administrator_needed",
      "withdrawal_state_conflict",
      "held_by_refunds",
    ],
    calls: "mark_withdrawal_paid",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal/{id}/failed",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual("Record that the payment of a withdrawal failed", "登记提现付款失败"),
    description: bilingual(
      "The amount returns to the balance. Only when the bank has said so: a payment whose result is unknown stays paying. WeChat itself says how its transfers end.",
      "金额退回余额。仅在银行确认失败后登记；结果未知的付款保持付款中。微信会告知转账结果。",
    ),
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
    summary: bilingual(
      "Members who were paid more commission than refunds left them, the largest debt first",
      "所得佣金超过退款后应得的会员，欠款最多的在前",
    ),
    request: { query: paging },
    response: listOf(debt).extend({
      total: money.openapi({ description: bilingual("The sum of all debts.", "全部欠款之和。") }),
    }),
    calls: "get_debts",
    standby: true,
  }),
] as const;
