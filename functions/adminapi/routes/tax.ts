import { z } from "@hono/zod-openapi";
import { month } from "../../_shared/resources/bill.ts";
import { memberTax, taxAllowance } from "../../_shared/resources/tax_certificate.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { moneyChange, uidPath, visibleParagraphs, yearText } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

export const taxRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}/tax",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual(
      "What was withheld as tax of a member's payouts in a year, and what was recorded for it",
      "某年从会员提现中代扣的税款，以及登记的相关信息",
    ),
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
    summary: bilingual(
      "Record exempt income, other deductions and relief for the tax of a member in a month",
      "登记会员某月的免税收入、其他扣除与减免税额",
    ),
    description: bilingual(
      "The cumulative method counts them from the next payout on. Rows never change: a correction is another one with negative amounts. The sums of a month cannot be negative.",
      "累计预扣法从下一笔付款起计入。记录不会修改：更正时另记一行负数。某月合计不能为负。",
    ),
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
