import { z } from "@hono/zod-openapi";
import { day, money, points, time } from "../schemas.ts";
import { actor } from "./actions.ts";
import { billSum, month } from "./bill.ts";
import { releaseForecast } from "./release.ts";

/** What the store owes its members. */
export const liabilities = z
  .strictObject({
    as_of: time,
    owed: money.openapi({
      description:
        "What members can withdraw and what is maturing, at least 0 for each member, and reserved: withdrawable and maturing, less debts_covered, and reserved.",
    }),
    withdrawable: money.openapi({ description: "Commission that members can withdraw now." }),
    maturing: money.openapi({ description: "Commission that members can withdraw later." }),
    maturing_after_receipt: money.openapi({ description: "The part of maturing whose orders have not been received. It has no date yet." }),
    reserved: money.openapi({ description: "Open withdrawals." }),
    debts: money.openapi({
      description:
        "By how much the withdrawable amounts of members are below zero, for example because refunds took back commission that had been paid out.",
    }),
    debts_covered: money.openapi({ description: "The part of debts that the maturing commission of the same members covers." }),
    debts_uncovered: money.openapi({ description: "The rest of debts. It does not lower what other members are owed." }),
    members_in_debt: z.int().min(0),
    matures: z.array(z.strictObject({ date: day, amount: money })),
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
  })
  .openapi("ClosedMonth");

/** The months since the first bill row. */
export const months = z.strictObject({
  closed: z.array(closedMonth),
  open: z.array(month).openapi({ description: "Months that are over and not closed." }),
});
