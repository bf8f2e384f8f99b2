import type { CsvColumn } from "./serve_csv.ts";

/** The columns of the tax of a quarter by member. */
export const taxColumns: readonly CsvColumn[] = [
  { key: "quarter", title: { en: "Quarter", zh: "季度" } },
  { key: "uid", title: { en: "Member", zh: "会员编号" } },
  { key: "payouts", title: { en: "Payouts", zh: "付款笔数" }, isNumber: true },
  { key: "income", title: { en: "Income", zh: "收入" }, isAmount: true },
  { key: "expenses", title: { en: "Expenses", zh: "费用" }, isAmount: true },
  { key: "basic_deduction", title: { en: "Basic deduction", zh: "减除费用" }, isAmount: true },
  { key: "exempt_income", title: { en: "Exempt income", zh: "免税收入" }, isAmount: true },
  { key: "other_deductions", title: { en: "Other deductions", zh: "其他扣除" }, isAmount: true },
  { key: "relief", title: { en: "Relief", zh: "减免税额" }, isAmount: true },
  { key: "tax", title: { en: "Tax withheld", zh: "已扣税额" }, isAmount: true },
];
