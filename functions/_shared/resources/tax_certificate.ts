import { z } from "@hono/zod-openapi";
import { id, money, time } from "./schemas.ts";
import { actor } from "./actions.ts";
import { month } from "./bill.ts";
import { taxSumFields, taxSums } from "./tax.ts";
import { bilingual } from "../words/bilingual.ts";

const certificateFields = {
  uid: id,
  year: z.int(),
  total: taxSums,
  months: z
    .array(
      z.strictObject({
        month: month.openapi({
          description: bilingual(
            "The business month in which the withdrawals became paying.",
            "提现开始付款的营业月份。",
          ),
        }),
        ...taxSumFields,
      }),
    )
    .openapi({
      description: bilingual("Oldest first. Months without payouts are absent.", "最早的在前，不含没有付款的月份。"),
    }),
};

/** The tax that was withheld of a member in a year. */
export const taxCertificate = z.strictObject(certificateFields).openapi("TaxCertificate");

/** What an administrator recorded for the tax of a member and month. */
export const taxAllowance = z
  .strictObject({
    id,
    month,
    exempt_income: money,
    other_deductions: money,
    relief: money,
    reason: z.string(),
    created_by: actor,
    add_time: time,
  })
  .openapi("TaxAllowance");

/** The same certificate as administrators see it. */
export const memberTax = z
  .strictObject({
    ...certificateFields,
    years: z
      .array(z.int())
      .openapi({ description: bilingual("The years with such rows, newest first.", "有此类行的年份，最新的在前。") }),
    allowances: z.array(taxAllowance).openapi({ description: bilingual("Newest first.", "最新的在前。") }),
  })
  .openapi("MemberTax");
