import { z } from "@hono/zod-openapi";
import { day, money, points, time } from "../schemas.ts";
import { actor } from "./actions.ts";
import { billSum, month } from "./bill.ts";
import { releaseForecast } from "./release.ts";

/** What the store owes its members. */
export const liabilities = z.strictObject({
  as_of: time,
  owed: money.openapi({ description: "withdrawable, maturing and reserved together." }),
  withdrawable: money.openapi({ description: "Commission that members can withdraw now." }),
  maturing: money.openapi({ description: "Commission that members can withdraw later." }),
  maturing_after_receipt: money.openapi({ description: "The part of maturing whose orders have not been received. It has no date yet." }),
  reserved: money.openapi({ description: "Open withdrawals." }),
  debts: money.openapi({ description: "What members owe the store, because refunds took back commission that had been paid out." }),
  members_in_debt: z.int().min(0),
  matures: z.array(z.strictObject({ date: day, amount: money })),
  points: z.strictObject({ frozen: points, available: points, release: releaseForecast.extend({ members: z.int().min(0) }) }),
}).openapi("Liabilities");

/** A closed month: its sums are final. */
export const closedMonth = z.strictObject({
  month,
  from: time,
  to: time,
  sums: z.array(billSum),
  total: z.strictObject({ rows: z.int().min(0), brokerage: money, frozen_points: points, available_points: points }),
  closed_at: time,
  closed_by: actor,
}).openapi("ClosedMonth");

/** The months since the first bill row. */
export const months = z.strictObject({
  closed: z.array(closedMonth),
  open: z.array(month).openapi({ description: "Months that are over and not closed." }),
});
