import { z } from "@hono/zod-openapi";
import { day, id, money, points, time } from "./schemas.ts";
import { actor } from "./actions.ts";
import { billSum, billType, month, seal } from "./bill.ts";
import { releaseForecast } from "./release.ts";
import { bilingual } from "../words/bilingual.ts";

/** What the store owes its members. */
export const liabilities = z
  .strictObject({
    as_of: time,
    owed: money.openapi({
      description: bilingual(
        "What members can withdraw, what refund requests hold and what is maturing, at least 0 for each member, and reserved: withdrawable, held_by_refunds and maturing, less debts_covered, reserved, and the commission of left.",
        "会员可提现、退款暂扣与待到账之和（每位会员至少为 0），加提现中：即 withdrawable 加 held_by_refunds 与 maturing、减 debts_covered、加 reserved，再加 left 中的佣金。",
      ),
    }),
    withdrawable: money.openapi({
      description: bilingual("Commission that members can withdraw now.", "会员现在可提现的佣金。"),
    }),
    held_by_refunds: money.openapi({ description: "Matured commission that open refund requests hold." }),
    maturing: money.openapi({
      description: bilingual("Commission that members can withdraw later.", "会员以后可提现的佣金。"),
    }),
    maturing_after_receipt: money.openapi({
      description: bilingual(
        "The part of maturing whose orders have not been received. It has no date yet.",
        "待到账中订单尚未收货的部分，没有到账日期。",
      ),
    }),
    reserved: money.openapi({ description: bilingual("Open withdrawals.", "未完成的提现。") }),
    left: z
      .strictObject({ members: z.int().min(0), commission: money, frozen_points: points, available_points: points })
      .openapi({
        description: bilingual(
          "What is owed to members who left without giving it up, because their accounts were removed. It is in owed, and in no other part. Two administrators pay it or declare it forfeit by an adjustment.",
          "账号被移除、且本人未放弃余额的会员的应付余额；已计入 owed，不计入其他各项。须由两位管理员通过调账付清或确认放弃。",
        ),
      }),
    debts: money.openapi({
      description: bilingual(
        "By how much the withdrawable amounts of members are below zero, for example because refunds took back commission that had been paid out.",
        "会员可提现金额低于零的部分，例如退款冲回了已提现的佣金。",
      ),
    }),
    debts_covered: money.openapi({
      description: bilingual(
        "The part of debts that the maturing commission of the same members covers.",
        "欠款中由同一会员的待到账佣金可抵的部分。",
      ),
    }),
    debts_uncovered: money.openapi({
      description: bilingual(
        "The rest of debts. It does not lower what other members are owed.",
        "其余的欠款，不减少应付其他会员的金额。",
      ),
    }),
    members_in_debt: z.int().min(0),
    matures: z.array(z.strictObject({ date: day, amount: money })),
    tax: z.strictObject({ month, withheld: money, withheld_last_month: money }).openapi({
      description: bilingual(
        "What was withheld as tax of payouts, in the month of as_of until then, and in the month before.",
        "代扣的提现个税：as_of 所在月份至该时刻，以及上月。",
      ),
    }),
    points: z.strictObject({
      frozen: points,
      available: points.openapi({
        description: bilingual("Of members whose available points are above 0.", "可用积分大于 0 的会员的可用积分。"),
      }),
      negative: points.openapi({
        description: bilingual(
          "By how much the available points of other members are below 0.",
          "其他会员的可用积分低于 0 的部分。",
        ),
      }),
      members_below_zero: z.int().min(0),
      release: releaseForecast.extend({ members: z.int().min(0) }),
    }),
  })
  .openapi("Liabilities");

/** A closed month: its sums are final. */
export const closedMonth = z
  .strictObject({
    month,
    from: time,
    to: time,
    sums: z.array(billSum),
    total: z.strictObject({ rows: z.int().min(0), brokerage: money, frozen_points: points, available_points: points }),
    closed_at: time,
    closed_by: actor,
    seal: z.union([seal, z.null()]).openapi({ description: "Null if the month is not sealed." }),
  })
  .openapi("ClosedMonth");

/** The months since the first bill row. */
export const months = z.strictObject({
  closed: z.array(closedMonth),
  open: z
    .array(month)
    .openapi({ description: bilingual("Months that are over and not closed.", "已结束、尚未结账的月份。") }),
});

/** The accounts of a journal (app.journal_postings). */
export const journalAccounts = [
  "commission_expense",
  "promotion_expense",
  "commission_payable",
  "points_frozen",
  "points_available",
  "payouts_in_transit",
  "bank",
  "withdrawal_fees",
  "withheld_tax",
  "redeemed_points",
  "adjustments_commission",
  "adjustments_frozen",
  "adjustments_available",
  "opening_balances_commission",
  "opening_balances_frozen",
  "opening_balances_available",
  "brought_forward_commission",
  "brought_forward_frozen",
  "brought_forward_available",
] as const;

const posting = z.strictObject({
  account: z.enum(journalAccounts),
  uid: id
    .nullable()
    .openapi({ description: bilingual("Null for an account that all members share.", "全部会员共用的账户为 null。") }),
  amount: z.string().openapi({
    example: "-720",
    description: bilingual("Debit above zero, credit below, as an exact decimal.", "借方为正，贷方为负，为精确小数。"),
  }),
  currency: z.enum(["CNY", "PTS"]).openapi({ description: bilingual("PTS: points.", "PTS：积分。") }),
});

/** A chunk of a journal in double entry. */
export const journal = z
  .strictObject({
    entries: z.array(
      z
        .strictObject({
          id: z.string().openapi({
            example: "B120",
            description: bilingual(
              "B and the id of a bill row, W of a withdrawal, M and the uid of a member.",
              "B 加账单记录的 id，W 加提现的 id，M 加会员的 uid。",
            ),
          }),
          time: z.string().openapi({
            example: "2026-11-03 10:00:00+08:00",
            description: bilingual("In the time zone of the store.", "商城时区的时间。"),
          }),
          type: z.enum([...billType.options, "withdrawal_paid", "opening", "closing"]),
          uid: id,
          order_id: id.nullable(),
          withdrawal_id: id.nullable(),
          adjustment_id: id.nullable(),
          postings: z.array(posting).openapi({
            description: bilingual(
              "They add up to 0 in each currency; those of a closing are balances.",
              "每个币种合计为 0；closing 中的为余额。",
            ),
          }),
        })
        .openapi("JournalEntry"),
    ),
    next_cursor: z.string().nullable(),
  })
  .openapi("Journal");
