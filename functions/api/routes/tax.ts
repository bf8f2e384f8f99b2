import { z } from "@hono/zod-openapi";
import { taxCertificate } from "../../_shared/resources/tax_certificate.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { yearText } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

export const taxRoutes = [
  defineRoute({
    method: "get",
    path: "/api/tax",
    auth: "user",
    tag: "Withdrawals",
    summary: bilingual(
      "What the store withheld as tax of the member's payouts in a year, by month",
      "某年各月从会员提现中代扣的税款",
    ),
    description: bilingual(
      "A withdrawal counts in the month in which it became paying; one that failed does not count.",
      "提现计入开始付款的月份；失败的不计入。",
    ),
    request: {
      query: z.strictObject({ year: yearText.optional().openapi({ description: "The present year if absent." }) }),
    },
    response: taxCertificate,
    calls: "get_tax",
    standby: true,
  }),
] as const;
