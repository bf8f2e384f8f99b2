import { z } from "@hono/zod-openapi";
import { statementColumns } from "../../_shared/files/bill_file.ts";
import { billRow, billType, month, statement, statementProof } from "../../_shared/resources/bill.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { cursorPaging, logOf, period } from "../../_shared/resources/schemas.ts";
import { csvFile } from "../../_shared/files/serve_csv.ts";
import { proveStatement } from "../../_shared/handlers/prove_statement.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

export const billRoutes = [
  defineRoute({
    method: "get",
    path: "/api/bill",
    auth: "user",
    tag: "Member",
    summary: bilingual("The member's bill, newest first", "会员的账单，最新的在前"),
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
    summary: bilingual("The member's statement of a month", "会员某月的对账单"),
    description: bilingual(
      "Balances at the beginning and the end, and the sums for each bill type and source. The rows are those of GET /api/bill from `from` to `to`.",
      "期初与期末余额，以及各账单类型与来源的合计。明细为 GET /api/bill 中 `from` 至 `to` 的行。",
    ),
    request: {
      query: z.strictObject({ month: month.optional().openapi({ description: "The present month if absent." }) }),
    },
    response: statement,
    calls: "get_statement",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/statement/csv",
    auth: "user",
    tag: "Member",
    summary: bilingual("The rows of the member's statement of a month as a CSV file", "会员某月对账单明细，CSV 文件"),
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
    summary: bilingual(
      "What proves that the member's rows of a month are in its seal",
      "会员某月账单已包含在封存中的证明",
    ),
    description: bilingual(
      "At most three times in an hour, together with POST /api/user/export. Idempotency-Key is rejected. `docs/verify_seal.html` checks it without the store.",
      "与 POST /api/user/export 合计每小时最多三次。不接受 Idempotency-Key。`docs/verify_seal.html` 可脱离商城进行验证。",
    ),
    request: { body: z.strictObject({ month }) },
    response: statementProof,
    errors: ["too_many_requests", "month_not_sealed", "seal_differs", "seals_not_configured"],
    calls: "get_statement_proof",
    handler: proveStatement,
  }),
] as const;
