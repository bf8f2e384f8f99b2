import { z } from "@hono/zod-openapi";
import { billColumns } from "../../_shared/files/bill_file.ts";
import { liabilityColumns } from "../../_shared/files/liability_file.ts";
import { withdrawalColumns } from "../../_shared/files/withdrawal_file.ts";
import { month } from "../../_shared/resources/bill.ts";
import { closedMonth, liabilities, months } from "../../_shared/resources/finance.ts";
import { defineRoute } from "../../_shared/route.ts";
import { asOf, period } from "../../_shared/schemas.ts";
import { csvFile } from "../../_shared/files/serve_csv.ts";
import { xlsxFile } from "../../_shared/files/serve_xlsx.ts";

export const financeRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/liabilities",
    auth: "admin",
    tag: "Finance",
    summary: "What the store owes its members now and later, or what it owed them at a past instant",
    request: { query: z.strictObject(asOf) },
    response: liabilities,
    errors: ["month_archived"],
    calls: "get_liabilities",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/export/liabilities",
    auth: "admin",
    tag: "Finance",
    summary: "What the store owes each member, or owed each member at a past instant, as a CSV file",
    request: { query: z.strictObject(asOf) },
    description: "The lines are sorted by uid. Members without commission and points have none.",
    ...csvFile("liabilities", liabilityColumns),
    errors: ["month_archived"],
    calls: "export_liabilities",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/export/liabilities/xlsx",
    auth: "admin",
    tag: "Finance",
    summary: "What the store owes each member, or owed each member at a past instant, as an Excel workbook",
    request: { query: z.strictObject(asOf) },
    ...xlsxFile("liabilities", liabilityColumns),
    errors: ["month_archived"],
    calls: "export_liabilities",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/export/bill",
    auth: "admin",
    tag: "Finance",
    summary: "The bill of all members as a CSV file",
    request: { query: z.strictObject(period) },
    ...csvFile("bill", billColumns),
    errors: ["month_archived"],
    calls: "export_bill",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/export/bill/xlsx",
    auth: "admin",
    tag: "Finance",
    summary: "The bill of all members as an Excel workbook",
    request: { query: z.strictObject(period) },
    ...xlsxFile("bill", billColumns),
    errors: ["month_archived"],
    calls: "export_bill",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/export/withdrawals",
    auth: "admin",
    tag: "Finance",
    summary: "The withdrawals that were requested in a period as a CSV file",
    request: { query: z.strictObject(period) },
    ...csvFile("withdrawals", withdrawalColumns),
    calls: "export_withdrawals",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/export/withdrawals/xlsx",
    auth: "admin",
    tag: "Finance",
    summary: "The withdrawals that were requested in a period as an Excel workbook",
    request: { query: z.strictObject(period) },
    ...xlsxFile("withdrawals", withdrawalColumns),
    calls: "export_withdrawals",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/month",
    auth: "admin",
    tag: "Finance",
    summary: "The closed months with their sums, and the months that can be closed",
    response: months,
    calls: "get_months",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/month/{month}/close",
    auth: "admin",
    tag: "Finance",
    summary: "Close a month that is over",
    description:
      "Asks for a finished reconciliation that found nothing, began after the end of the month and is at most 7 days old. Keeps the sums of the month. No bill row can be dated into a closed month. Closing a closed month changes nothing.",
    request: { path: z.strictObject({ month }) },
    response: closedMonth,
    errors: ["reconciliation_needed", "clock_doubtful"],
    calls: "close_month",
  }),
] as const;
