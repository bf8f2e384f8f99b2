import { z } from "@hono/zod-openapi";
import { statementColumns } from "../../_shared/files/bill_file.ts";
import {
  adminBillRow,
  billRow,
  billSource,
  billType,
  month,
  statement,
  statementProof,
} from "../../_shared/resources/bill.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  cursorPaging,
  idPath,
  idText,
  integerText,
  logOf,
  period,
  time,
  uidPath,
} from "../../_shared/resources/schemas.ts";
import { csvFile } from "../../_shared/files/serve_csv.ts";
import { proveStatement } from "../../_shared/handlers/prove_statement.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

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
    summary: bilingual("The bill of all members, newest first", "全部会员的账单，最新的在前"),
    description: bilingual(
      "Unless a member is given, types, sources, levels and amounts are searched for within 31 days at a time, amounts of points that a daily release may have within a day, and what orders earned within 93 days. Without from, these are the last days before to, and searched_from says since when.",
      "未指定会员时，类型、来源、等级与金额每次在 31 天内查询；可能来自每日释放的积分金额在一天内查询；订单收益在 93 天内查询。未给 from 时为 to 之前的最近若干天，searched_from 说明起始时间。",
    ),
    request: {
      query: cursorPaging.extend({
        uid: idText.optional(),
        agent_level: integerText(0, 100)
          .optional()
          .openapi({ description: bilingual("Of members who have this level now.", "当前为此等级的会员。") }),
        type: billType.optional(),
        source: billSource.optional(),
        balance: z
          .enum(["brokerage", "frozen_points", "available_points"])
          .optional()
          .openapi({
            description: bilingual(
              "The balance whose change min_amount and max_amount are about.",
              "min_amount 与 max_amount 所指的余额。",
            ),
            default: "brokerage",
          }),
        min_amount: size
          .optional()
          .openapi({ description: bilingual("The smallest change, without its sign.", "最小变动，不带正负号。") }),
        max_amount: size
          .optional()
          .openapi({ description: bilingual("The largest change, without its sign.", "最大变动，不带正负号。") }),
        ...period,
        earned_from: period.from.openapi({
          description: bilingual(
            "What orders earned, less reversals, at or after this time: the commission and points of a report.",
            "不早于此时间的订单收益，已扣除冲回：即报表中的佣金与积分。",
          ),
        }),
        earned_to: period.to.openapi({
          description: bilingual(
            "What orders earned, less reversals, before this time.",
            "早于此时间的订单收益，已扣除冲回。",
          ),
        }),
      }),
    },
    response: logOf(adminBillRow).extend({
      count: z
        .int()
        .min(0)
        .openapi({
          description: bilingual(
            "The number of rows. More than 100,000 are not counted: it is 100,001 then.",
            "行数。超过 100,000 时不再计数，为 100,001。",
          ),
        }),
      searched_from: time.nullable().openapi({
        description: bilingual(
          "Since when rows were searched for, if that was limited because from was not given.",
          "因未给出 from 而限制范围时，查找的起始时间。",
        ),
      }),
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
    summary: bilingual("The bill of one member, newest first", "一位会员的账单，最新的在前"),
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
    summary: bilingual("A member's statement of a month", "某会员某月的对账单"),
    request: {
      path: uidPath,
      query: z.strictObject({ month: month.optional().openapi({ description: "The present month if absent." }) }),
    },
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
    summary: bilingual("The rows of a member's statement of a month as a CSV file", "某会员某月对账单明细，CSV 文件"),
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
    summary: bilingual(
      "What proves that a member's rows of a month are in its seal",
      "某会员某月账单已包含在封存中的证明",
    ),
    description: bilingual(
      "For everyone who may see the rows of the member. `docs/verify_seal.html` checks it without the store.",
      "供有权查看该会员账单的人使用。`docs/verify_seal.html` 可脱离商城进行验证。",
    ),
    request: { path: uidPath, query: z.strictObject({ month }) },
    response: statementProof,
    errors: ["user_not_found", "month_not_sealed", "seal_differs", "seals_not_configured"],
    calls: "admin_get_statement_proof",
    handler: proveStatement,
  }),
] as const;
