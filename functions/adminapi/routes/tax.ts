import { z } from "@hono/zod-openapi";
import { month } from "../../_shared/resources/bill.ts";
import { memberTax, taxAllowance } from "../../_shared/resources/tax_certificate.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { moneyChange, uidPath, visibleParagraphs, yearText } from "../../_shared/resources/schemas.ts";

export const taxRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}/tax",
    auth: "admin",
    tag: "Withdrawals",
    summary: "What was withheld as tax of a member's payouts in a year, and what was recorded for it",
    request: {
      path: uidPath,
      query: z.strictObject({ year: yearText.optional().openapi({ description: "The present year if absent." }) }),
    },
    response: memberTax,
    errors: ["user_not_found"],
    calls: "admin_get_tax",
    standby: true,
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/user/{uid}/tax",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Record exempt income, other deductions and relief for the tax of a member in a month",
    description:
      "The cumulative method counts them from the next payout on. Rows never change: a correction is another one with negative amounts. The sums of a month cannot be negative.",
    request: {
      path: uidPath,
      body: z.strictObject({
        month,
        exempt_income: moneyChange.optional(),
        other_deductions: moneyChange.optional(),
        relief: moneyChange.optional(),
        reason: visibleParagraphs(500),
      }),
    },
    status: 201,
    response: taxAllowance,
    errors: ["own_account", "user_not_found"],
    calls: "create_tax_allowance",
  }),
] as const;
