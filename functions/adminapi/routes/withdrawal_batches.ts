import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { accountMethod } from "../../_shared/resources/withdrawals.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  id,
  idPath,
  ids,
  listOf,
  money,
  moneyText,
  paging,
  time,
  visibleText,
} from "../../_shared/resources/schemas.ts";
import { serveCsv } from "../../_shared/files/serve_csv.ts";
import { serveXlsx } from "../../_shared/files/serve_xlsx.ts";
import { XLSX } from "../../_shared/files/workbook.ts";
import { serveBatchFile } from "../serve_batch_file.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const batch = z
  .strictObject({
    id,
    batch_no: z.string().openapi({ example: "B00000001" }),
    method: accountMethod,
    withdrawals: z.int().min(1),
    amount: money.openapi({
      description: bilingual(
        "What the bank pays: the amounts less fees and taxes.",
        "银行付款的金额：提现金额减手续费与个税。",
      ),
    }),
    tax: money.openapi({
      description: bilingual("What was withheld as tax of its withdrawals.", "各笔提现代扣的个税。"),
    }),
    paying: z
      .int()
      .min(0)
      .openapi({ description: bilingual("How many withdrawals have not ended.", "未结束的提现笔数。") }),
    paid: z.int().min(0),
    failed: z.int().min(0),
    created_by: actor,
    add_time: time,
  })
  .openapi("WithdrawalBatch");

const batchPreview = z
  .strictObject({
    method: accountMethod,
    withdrawals: z
      .int()
      .min(0)
      .openapi({ description: bilingual("How many withdrawals the batch would take.", "该批次将加入的提现笔数。") }),
    held: z
      .int()
      .min(0)
      .openapi({
        description: bilingual(
          "How many of these withdrawals pay out commission that open refund requests hold.",
          "其中有佣金因退款申请暂扣的笔数。",
        ),
      }),
    held_by_refunds: money.nullable().openapi({
      description: bilingual(
        "How much commission is held in total. To put it into the batch all the same, send this amount as held_by_refunds. Null if nothing is held.",
        "暂扣金额合计。如仍要一并付款，请在 held_by_refunds 中填写该金额。没有暂扣时为 null。",
      ),
    }),
  })
  .openapi("WithdrawalBatchPreview");

const paymentRef = z.strictObject({ payment_ref: visibleText(128).optional() }).optional();

export const withdrawalBatchRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/withdrawal_batch",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual("Batches for banks, newest first", "银行付款批次，最新的在前"),
    request: { query: paging },
    response: listOf(batch),
    calls: "get_withdrawal_batches",
    standby: true,
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/withdrawal/batch",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual(
      "Put approved withdrawals into a batch for a bank or Alipay",
      "将已批准的提现加入银行或支付宝批次",
    ),
    description: bilingual(
      "Takes the named withdrawals, or all that are approved, at most the 10,000 oldest, without the administrator's own and, if another administrator can pay them, without those that the administrator approved. From then on they are paying.",
      "包含指定的提现，或全部已批准的提现（最早的至多 10,000 笔）；不含管理员本人的提现，若有其他管理员可付款，也不含其本人批准的提现。此后状态为付款中。",
    ),
    request: {
      body: z.strictObject({
        method: accountMethod,
        ids: ids.optional(),
        held_by_refunds: moneyText.optional().openapi({
          description: bilingual(
            "What open refund requests hold of all of them together, to go on in spite of that. Otherwise the answer is held_by_refunds, which names them and the sum.",
            "退款申请在全部这些提现中暂扣的合计金额，填写后可继续；否则返回 held_by_refunds 并列出提现单号与合计。",
          ),
        }),
        leaves_out_held: z
          .boolean()
          .optional()
          .openapi({
            description: bilingual(
              "Whether those of which refund requests hold something stay as they are, and the others go into the batch.",
              "是否留下因退款申请暂扣的提现，只将其余提现加入批次。",
            ),
          }),
      }),
    },
    status: 201,
    response: batch,
    errors: [
      "own_account",
      "withdrawal_not_found",
      "second_administrator_needed",
      "withdrawal_state_conflict",
      "held_by_refunds",
    ],
    calls: "create_withdrawal_batch",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/withdrawal/batch/preview",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual(
      "Preview a batch of all approved withdrawals of a method, and what refund requests hold of it",
      "预览某种方式的批次将加入的提现，以及其中因退款申请暂扣的金额",
    ),
    description: bilingual("Writes nothing.", "不写入任何数据。"),
    request: { body: z.strictObject({ method: accountMethod }) },
    response: batchPreview,
    calls: "preview_withdrawal_batch",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/withdrawal_batch/{id}",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual("The file of a batch for the bank, as CSV", "批次的银行文件，CSV"),
    description: bilingual(
      "UTF-8 with a byte order mark. The titles are in English or Chinese, depending on Accept-Language. The same rows each time; the account of a member who was deleted since is empty.",
      "UTF-8，带字节顺序标记。表头按 Accept-Language 为中文或英文。每次行相同；之后注销的会员账户为空。",
    ),
    request: { path: idPath },
    response: z.string().openapi({
      description: bilingual(
        "Withdrawal number, account holder, bank, account number, amount.",
        "提现单号、收款人、开户银行、账号、金额。",
      ),
    }),
    media: "text/csv",
    errors: ["withdrawal_not_found"],
    calls: "get_withdrawal_batch_rows",
    handler: serveBatchFile(serveCsv),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/withdrawal_batch/{id}/xlsx",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual("The file of a batch for the bank, as an Excel workbook", "批次的银行文件，Excel 工作簿"),
    description: bilingual(
      "The rows of the CSV file. Account numbers are text, so that no program rounds them or drops a leading zero; amounts are numbers with two decimals.",
      "与 CSV 文件相同的行。账号为文本，避免被舍入或丢失前导零；金额为两位小数的数字。",
    ),
    request: { path: idPath },
    response: z.string().openapi({ format: "binary" }),
    media: XLSX,
    errors: ["withdrawal_not_found"],
    calls: "get_withdrawal_batch_rows",
    handler: serveBatchFile(serveXlsx),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/withdrawal_batch/{id}/paid",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual(
      "Record that all withdrawals of a batch were paid that have not ended",
      "登记批次中尚未结束的提现均已付款",
    ),
    description: bilingual("Record those that failed before.", "请先登记失败的提现。"),
    request: { path: idPath, body: paymentRef },
    response: batch,
    errors: ["withdrawal_not_found", "second_administrator_needed"],
    calls: "mark_withdrawal_batch_paid",
  }),
] as const;
