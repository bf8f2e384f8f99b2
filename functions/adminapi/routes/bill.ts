import { z } from "@hono/zod-openapi";
import { statementColumns } from "../../_shared/files/bill_file.ts";
import { adminBillRow, billRow, billSource, billType, month, statement, statementProof } from "../../_shared/resources/bill.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { cursorPaging, idPath, idText, integerText, logOf, period, time, uidPath } from "../../_shared/resources/schemas.ts";
import { csvFile } from "../../_shared/files/serve_csv.ts";
import { proveStatement } from "../../_shared/handlers/prove_statement.ts";

/** An amount to search for: digits with at most the four decimals of points, so that no client rounds it. */
const size = z
  .string()
  .regex(/^\d{1,14}(\.\d{1,4})?$/, 'Expected an amount such as "19.90", without a sign.')
  .openapi({ type: "string", example: "0.01" });

export const billRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/bill",
    auth: "admin",
    tag: "Bill",
    summary: "The bill of all members, newest first",
    description:
      "Unless a member is given, types, sources, levels and amounts are searched for within 31 days at a time, amounts of points that a daily release may have within a day, and what orders earned within 93 days. Without from, these are the last days before to, and searched_from says since when.",
    request: {
      query: cursorPaging.extend({
        uid: idText.optional(),
        agent_level: integerText(0, 100).optional().openapi({ description: "Of members who have this level now." }),
        type: billType.optional(),
        source: billSource.optional(),
        balance: z
          .enum(["brokerage", "frozen_points", "available_points"])
          .optional()
          .openapi({ description: "The balance whose change min_amount and max_amount are about.", default: "brokerage" }),
        min_amount: size.optional().openapi({ description: "The smallest change, without its sign." }),
        max_amount: size.optional().openapi({ description: "The largest change, without its sign." }),
        ...period,
        earned_from: period.from.openapi({
          description: "What orders earned, less reversals, at or after this time: the commission and points of a report.",
        }),
        earned_to: period.to.openapi({ description: "What orders earned, less reversals, before this time." }),
      }),
    },
    response: logOf(adminBillRow).extend({
      count: z.int().min(0).openapi({ description: "The number of rows. More than 100,000 are not counted: it is 100,001 then." }),
      searched_from: time
        .nullable()
        .openapi({ description: "Since when rows were searched for, if that was limited because from was not given." }),
    }),
    calls: "get_bill_rows",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/bill/{id}",
    auth: "admin",
    tag: "Bill",
    summary: "One row of the bill",
    request: { path: idPath },
    response: adminBillRow,
    errors: ["bill_row_not_found"],
    calls: "get_bill_row",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}/bill",
    auth: "admin",
    tag: "Members",
    summary: "The bill of one member, newest first",
    request: { path: uidPath, query: cursorPaging.extend({ type: billType.optional(), ...period }) },
    response: logOf(billRow),
    errors: ["user_not_found"],
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
    errors: ["user_not_found"],
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
    errors: ["user_not_found"],
    calls: "admin_get_statement_lines",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}/statement/proof",
    auth: "admin",
    tag: "Members",
    summary: "What proves that a member's rows of a month are in its seal",
    description: "For everyone who may see the rows of the member. `docs/verify_seal.html` checks it without the store.",
    request: { path: uidPath, query: z.strictObject({ month }) },
    response: statementProof,
    errors: ["user_not_found", "month_not_sealed", "seal_differs", "seals_not_configured"],
    calls: "admin_get_statement_proof",
    handler: proveStatement,
  }),
] as const;
