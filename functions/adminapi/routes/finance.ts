import { z } from "@hono/zod-openapi";
import type { ErrorCode } from "../../_shared/responses/error_registry.ts";
import { billColumns } from "../../_shared/files/bill_file.ts";
import { liabilityColumns } from "../../_shared/files/liability_file.ts";
import { withdrawalColumns } from "../../_shared/files/withdrawal_file.ts";
import { taxColumns } from "../../_shared/files/tax_file.ts";
import { month } from "../../_shared/resources/bill.ts";
import { quarter } from "../../_shared/resources/tax.ts";
import { closedMonth, journal, liabilities, months } from "../../_shared/resources/finance.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { asOf, cursorPaging, period } from "../../_shared/resources/schemas.ts";
import { type CsvColumn, csvFile } from "../../_shared/files/serve_csv.ts";
import { xlsxFile } from "../../_shared/files/serve_xlsx.ts";

/** The routes of an export, as a CSV file and as a workbook of the same lines. */
function exportRoutes(
  name: string,
  calls: "export_liabilities" | "export_bill" | "export_withdrawals" | "export_tax",
  columns: readonly CsvColumn[],
  query: z.ZodRawShape,
  { summary, description, errors = [] }: { summary: string; description?: string; errors?: readonly ErrorCode[] },
) {
  const shared = {
    method: "get",
    auth: "admin",
    tag: "Finance",
    request: { query: z.strictObject(query) },
    errors,
    calls,
    standby: true,
  } as const;
  return [
    defineRoute({
      ...shared,
      path: `/adminapi/export/${name}`,
      summary: `${summary} as a CSV file`,
      ...(description !== undefined && { description }),
      ...csvFile(name, columns),
    }),
    defineRoute({
      ...shared,
      path: `/adminapi/export/${name}/xlsx`,
      summary: `${summary} as an Excel workbook`,
      ...xlsxFile(name, columns),
    }),
  ];
}

export const financeRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/liabilities",
    auth: "admin",
    tag: "Finance",
    summary: "What the store owes its members now and later, or what it owed them at a past instant",
    request: { query: z.strictObject(asOf) },
    response: liabilities,
    calls: "get_liabilities",
  }),
  ...exportRoutes("liabilities", "export_liabilities", liabilityColumns, asOf, {
    summary: "What the store owes each member, or owed each member at a past instant,",
    description: "The lines are sorted by uid. Members without commission and points have none.",
  }),
  ...exportRoutes("bill", "export_bill", billColumns, period, { summary: "The bill of all members" }),
  ...exportRoutes("withdrawals", "export_withdrawals", withdrawalColumns, period, {
    summary: "The withdrawals that were requested in a period",
  }),
  ...exportRoutes(
    "tax",
    "export_tax",
    taxColumns,
    { quarter },
    {
      summary: "Income, deductions and tax of each member to whom was paid in a quarter",
      description:
        "By the months in which withdrawals became paying, while tax was on, without those that failed: a payment that fails later changes the file of its quarter. Sorted by uid.",
    },
  ),
  defineRoute({
    method: "get",
    path: "/adminapi/export/journal",
    auth: "admin",
    tag: "Finance",
    summary: "The journal of a month in double entry",
    description:
      "Parts: opening (what members bring into the month), bill, payouts (withdrawals that were paid), closing (the balances that must result). `npm run export:journal` writes them for hledger, Ledger and Beancount, with what commission the rules make of the orders.",
    request: {
      query: z.strictObject({ month, part: z.enum(["opening", "bill", "payouts", "closing"]), cursor: cursorPaging.shape.cursor }),
    },
    response: journal,
    calls: "export_journal",
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
      "Asks for a finished reconciliation that found nothing, began after the end of the month and is at most 7 days old. Keeps the sums of the month. No bill row can be dated into a closed month. Where the key of the seals is configured, the worker then seals it. Closing a closed month changes nothing.",
    request: { path: z.strictObject({ month }) },
    response: closedMonth,
    errors: ["reconciliation_needed", "clock_doubtful"],
    calls: "close_month",
    afterwards: ({ work }) => work(),
  }),
] as const;
