import { z } from "@hono/zod-openapi";
import { taxCertificate } from "../../_shared/resources/tax_certificate.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { yearText } from "../../_shared/resources/schemas.ts";

export const taxRoutes = [
  defineRoute({
    method: "get",
    path: "/api/tax",
    auth: "user",
    tag: "Withdrawals",
    summary: "What the store withheld as tax of the member's payouts in a year, by month",
    description: "A withdrawal counts in the month in which it became paying; one that failed does not count.",
    request: { query: z.strictObject({ year: yearText.optional().openapi({ description: "The present year if absent." }) }) },
    response: taxCertificate,
    calls: "get_tax",
    standby: true,
  }),
] as const;
