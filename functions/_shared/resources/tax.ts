import { z } from "@hono/zod-openapi";
import { money } from "./schemas.ts";

/** What was withheld of the payouts to a member in some months: the fields of the schemas. */
export const taxSumFields = {
  payouts: z.int().min(0).openapi({ description: "Withdrawals that became paying while tax was on and have not failed." }),
  income: money.openapi({ description: "Their gross amounts, before fees." }),
  expenses: money.openapi({ description: "Deductible expenses. As each deduction, what it grew by in the period: it can be negative." }),
  basic_deduction: money,
  exempt_income: money,
  other_deductions: money,
  relief: money.openapi({ description: "Relief of tax." }),
  tax: money,
};

export const taxSums = z.strictObject(taxSumFields).openapi("TaxSums");

/** A quarter as YYYY-Qn. */
export const quarter = z
  .string()
  .regex(/^2\d{3}-Q[1-4]$/, "Expected a quarter such as 2026-Q4.")
  .openapi({ example: "2026-Q4" });
