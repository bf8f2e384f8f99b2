import { z } from "@hono/zod-openapi";
import { statementColumns } from "../../_shared/files/bill_file.ts";
import { archivedUntil, billRow, billType, month, statement } from "../../_shared/resources/bill.ts";
import { defineRoute } from "../../_shared/route.ts";
import { cursorPaging, logOf, period, uidPath } from "../../_shared/schemas.ts";
import { csvFile } from "../../_shared/files/serve_csv.ts";

export const billRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}/bill",
    auth: "admin",
    tag: "Members",
    summary: "The bill of one member, newest first",
    request: { path: uidPath, query: cursorPaging.extend({ type: billType.optional(), ...period }) },
    response: logOf(billRow).extend({ archived_until: archivedUntil }),
    errors: ["user_not_found", "month_archived"],
    calls: "admin_get_bill",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}/statement",
    auth: "admin",
    tag: "Members",
    summary: "A member's statement of a month",
    request: { path: uidPath, query: z.strictObject({ month: month.optional().openapi({ description: "The present month if absent." }) }) },
    response: statement,
    errors: ["user_not_found", "month_archived"],
    calls: "admin_get_statement",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}/statement/csv",
    auth: "admin",
    tag: "Members",
    summary: "The rows of a member's statement of a month as a CSV file",
    request: { path: uidPath, query: z.strictObject({ month }) },
    ...csvFile("statement", statementColumns),
    errors: ["user_not_found", "month_archived"],
    calls: "admin_get_statement_lines",
    standby: true,
  }),
] as const;
