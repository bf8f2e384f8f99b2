import { z } from "@hono/zod-openapi";
import { statementColumns } from "../../_shared/files/bill_file.ts";
import { billRow, billType, month, statement, statementProof } from "../../_shared/resources/bill.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { cursorPaging, logOf, period } from "../../_shared/resources/schemas.ts";
import { csvFile } from "../../_shared/files/serve_csv.ts";
import { proveStatement } from "../../_shared/handlers/prove_statement.ts";

export const billRoutes = [
  defineRoute({
    method: "get",
    path: "/api/bill",
    auth: "user",
    tag: "Member",
    summary: "The member's bill, newest first",
    request: { query: cursorPaging.extend({ type: billType.optional(), ...period }) },
    response: logOf(billRow),
    calls: "get_bill",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/statement",
    auth: "user",
    tag: "Member",
    summary: "The member's statement of a month",
    description:
      "Balances at the beginning and the end, and the sums for each bill type and source. The rows are those of GET /api/bill from `from` to `to`.",
    request: { query: z.strictObject({ month: month.optional().openapi({ description: "The present month if absent." }) }) },
    response: statement,
    calls: "get_statement",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/statement/csv",
    auth: "user",
    tag: "Member",
    summary: "The rows of the member's statement of a month as a CSV file",
    request: { query: z.strictObject({ month }) },
    ...csvFile("statement", statementColumns),
    calls: "get_statement_lines",
    standby: true,
  }),
  defineRoute({
    method: "post",
    path: "/api/statement/proof",
    auth: "user",
    tag: "Member",
    summary: "What proves that the member's rows of a month are in its seal",
    description:
      "At most three times in an hour, together with POST /api/user/export. Idempotency-Key is rejected. `docs/verify_seal.html` checks it without the store.",
    request: { body: z.strictObject({ month }) },
    response: statementProof,
    errors: ["too_many_requests", "month_not_sealed", "seal_differs", "seals_not_configured"],
    calls: "get_statement_proof",
    handler: proveStatement,
  }),
] as const;
