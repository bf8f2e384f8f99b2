import { z } from "@hono/zod-openapi";
import { money } from "./schemas.ts";
import { bilingual } from "../words/bilingual.ts";

/** What was withheld of the payouts to a member in some months: the fields of the schemas. */
export const taxSumFields = {
  payouts: z
    .int()
    .min(0)
    .openapi({
      description: bilingual(
        "Withdrawals that became paying while tax was on and have not failed.",
        "在代扣期间开始付款且未失败的提现。",
      ),
    }),
  income: money.openapi({ description: bilingual("Their gross amounts, before fees.", "其总额，未减手续费。") }),
  expenses: money.openapi({
    description: bilingual(
      "Deductible expenses. As each deduction, what it grew by in the period: it can be negative.",
      "可扣除的费用。与各项扣除相同，为本期的增加额，可为负。",
    ),
  }),
  basic_deduction: money,
  exempt_income: money,
  other_deductions: money,
  relief: money.openapi({ description: bilingual("Relief of tax.", "减免税额。") }),
  tax: money,
};

export const taxSums = z.strictObject(taxSumFields).openapi("TaxSums");

/** A quarter as YYYY-Qn. */
export const quarter = z
  .string()
  .regex(/^2\d{3}-Q[1-4]$/, "Expected a quarter such as 2026-Q4.")
  .openapi({ example: "2026-Q4" });
