import type { z } from "@hono/zod-openapi";
import type { withdrawalMethod, withdrawalState } from "../resources/withdrawals.ts";
import { withdrawalMethodWords, withdrawalStateWords, type Words } from "../words/words.ts";
import type { CsvColumn } from "./serve_csv.ts";

/** The columns of the withdrawals. Account numbers are masked. */
export const withdrawalColumns: readonly CsvColumn[] = [
  { key: "requested", title: { en: "Requested", zh: "申请时间" } },
  { key: "id", title: { en: "Withdrawal", zh: "提现编号" } },
  { key: "no", title: { en: "Number", zh: "提现单号" } },
  { key: "uid", title: { en: "Member", zh: "会员编号" } },
  {
    key: "method",
    title: { en: "Method", zh: "方式" },
    words: withdrawalMethodWords satisfies Words<z.infer<typeof withdrawalMethod>>,
  },
  { key: "account", title: { en: "Account", zh: "账户" } },
  { key: "amount", title: { en: "Amount", zh: "金额" }, isAmount: true },
  { key: "fee", title: { en: "Fee", zh: "手续费" }, isAmount: true },
  { key: "paid_out", title: { en: "Amount less fee", zh: "扣费后金额" }, isAmount: true },
  {
    key: "state",
    title: { en: "State", zh: "状态" },
    words: withdrawalStateWords satisfies Words<z.infer<typeof withdrawalState>>,
  },
  { key: "reason", title: { en: "Reason", zh: "原因" } },
  { key: "payment_ref", title: { en: "Payment reference", zh: "付款凭证号" } },
  { key: "approved", title: { en: "Approved at", zh: "批准时间" } },
  { key: "ended", title: { en: "Ended at", zh: "结束时间" } },
  { key: "tax", title: { en: "Tax withheld", zh: "代扣个税" }, isAmount: true },
  { key: "net", title: { en: "Amount less fee and tax", zh: "扣除费税后金额" }, isAmount: true },
];
