import { z } from "@hono/zod-openapi";
import { day, id, money, points, time } from "./schemas.ts";
import { actor } from "./actions.ts";
import { billSum, billType, month, seal } from "./bill.ts";
import { releaseForecast } from "./release.ts";

/** What the store owes its members. */
export const liabilities = z
  .strictObject({
    as_of: time,
    owed: money.openapi({
      description:
        "What members can withdraw, what refund requests hold and what is maturing, at least 0 for each member, and reserved: withdrawable, held_by_refunds and maturing, less debts_covered, reserved, and the commission of left.",
    }),
    withdrawable: money.openapi({ description: "Commission that members can withdraw now." }),
    held_by_refunds: money.openapi({ description: "Matured commission that open refund requests hold." }),
    maturing: money.openapi({ description: "Commission that members can withdraw later." }),
    maturing_after_receipt: money.openapi({ description: "The part of maturing whose orders have not been received. It has no date yet." }),
    reserved: money.openapi({ description: "Open withdrawals." }),
    left: z.strictObject({ members: z.int().min(0), commission: money, frozen_points: points, available_points: points }).openapi({
      description:
        "What is owed to members who left without giving it up, because their accounts were removed. It is in owed, and in no other part. Two administrators pay it or declare it forfeit by an adjustment.",
    }),
    debts: money.openapi({
      description:
        "By how much the withdrawable amounts of members are below zero, for example because refunds took back commission that had been paid out.",
    }),
    debts_covered: money.openapi({ description: "The part of debts that the maturing commission of the same members covers." }),
    debts_uncovered: money.openapi({ description: "The rest of debts. It does not lower what other members are owed." }),
    members_in_debt: z.int().min(0),
    matures: z.array(z.strictObject({ date: day, amount: money })),
    tax: z
      .strictObject({ month, withheld: money, withheld_last_month: money })
      .openapi({ description: "What was withheld as tax of payouts, in the month of as_of until then, and in the month before." }),
    points: z.strictObject({
      frozen: points,
      available: points.openapi({ description: "Of members whose available points are above 0." }),
      negative: points.openapi({ description: "By how much the available points of other members are below 0." }),
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
  open: z.array(month).openapi({ description: "Months that are over and not closed." }),
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
  uid: id.nullable().openapi({ description: "Null for an account that all members share." }),
  amount: z.string().openapi({ example: "-720", description: "Debit above zero, credit below, as an exact decimal." }),
  currency: z.enum(["CNY", "PTS"]).openapi({ description: "PTS: points." }),
});

/** A chunk of a journal in double entry. */
export const journal = z
  .strictObject({
    entries: z.array(
      z
        .strictObject({
          id: z
            .string()
            .openapi({ example: "B120", description: "B and the id of a bill row, W of a withdrawal, M and the uid of a member." }),
          time: z.string().openapi({ example: "2026-11-03 10:00:00+08:00", description: "In the time zone of the store." }),
          type: z.enum([...billType.options, "withdrawal_paid", "opening", "closing"]),
          uid: id,
          order_id: id.nullable(),
          withdrawal_id: id.nullable(),
          adjustment_id: id.nullable(),
          postings: z.array(posting).openapi({ description: "They add up to 0 in each currency; those of a closing are balances." }),
        })
        .openapi("JournalEntry"),
    ),
    next_cursor: z.string().nullable(),
  })
  .openapi("Journal");
