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
import { bilingual } from "../../_shared/words/bilingual.ts";

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
    summary: bilingual(
      "What the store owes its members now and later, or what it owed them at a past instant",
      "商城当前与将来应付会员的金额，或过去某一时刻的应付金额",
    ),
    request: { query: z.strictObject(asOf) },
    response: liabilities,
    calls: "get_liabilities",
  }),
  ...exportRoutes("liabilities", "export_liabilities", liabilityColumns, asOf, {
    summary: "What the store owes each member, or owed each member at a past instant,",
    description: bilingual(
      "The lines are sorted by uid. Members without commission and points have none.",
      "按 uid 排序；没有佣金与积分的会员不列出。",
    ),
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
      description: bilingual(
        "By the months in which withdrawals became paying, while tax was on, without those that failed: a payment that fails later changes the file of its quarter. Sorted by uid.",
        "按提现开始付款的月份、在代扣税款启用期间统计，不含失败的提现；之后失败的付款会改变该季度的文件。按 uid 排序。",
      ),
    },
  ),
  defineRoute({
    method: "get",
    path: "/adminapi/export/journal",
    auth: "admin",
    tag: "Finance",
    summary: bilingual("The journal of a month in double entry", "某月的复式记账日记账"),
    description: bilingual(
      "Parts: opening (what members bring into the month), bill, payouts (withdrawals that were paid), closing (the balances that must result). `npm run export:journal` writes them for hledger, Ledger and Beancount, with what commission the rules make of the orders.",
      "各部分：opening（会员月初余额）、bill（账单）、payouts（已付提现）、closing（应得的月末余额）。`npm run export:journal` 为 hledger、Ledger 与 Beancount 输出，并附规则对订单计算的佣金。",
    ),
    request: {
      query: z.strictObject({
        month,
        part: z.enum(["opening", "bill", "payouts", "closing"]),
        cursor: cursorPaging.shape.cursor,
      }),
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
    summary: bilingual(
      "The closed months with their sums, and the months that can be closed",
      "已结账月份及合计，以及可结账的月份",
    ),
    response: months,
    calls: "get_months",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/month/{month}/close",
    auth: "admin",
    tag: "Finance",
    summary: bilingual("Close a month that is over", "为已结束的月份结账"),
    description: bilingual(
      "Asks for a finished reconciliation that found nothing, began after the end of the month and is at most 7 days old. Keeps the sums of the month. No bill row can be dated into a closed month. Where the key of the seals is configured, the worker then seals it. Closing a closed month changes nothing.",
      "要求有一次在月末之后开始、7 天内完成且没有差异的对账。保存该月合计；之后账单不能记入该月。若配置了封存密钥，随后由后台处理程序封存。重复结账不产生变化。",
    ),
    request: { path: z.strictObject({ month }) },
    response: closedMonth,
    errors: ["reconciliation_needed", "clock_doubtful"],
    calls: "close_month",
    afterwards: ({ work }) => work(),
  }),
] as const;
