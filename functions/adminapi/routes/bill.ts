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
    args: ({ path, query }) => ({
      p_uid: path.uid,
      p_type: query.type,
      p_from: query.from,
      p_to: query.to,
      p_page: query.page,
      p_limit: query.limit,
      p_cursor: query.cursor,
    }),
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
    args: ({ path, query }) => ({ p_uid: path.uid, p_month: query.month }),
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
    args: ({ path, query }) => ({ p_uid: path.uid, p_month: query.month }),
  }),
] as const;
