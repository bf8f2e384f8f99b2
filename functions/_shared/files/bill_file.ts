import type { z } from "@hono/zod-openapi";
import { billTypeWords } from "../words/bill_type_words.ts";
import { billSourceWords, type Words } from "../words/words.ts";
import type { billSource, billType } from "../resources/bill.ts";
import type { CsvColumn } from "./serve_csv.ts";

const column = (
  key: string,
  en: string,
  zh: string,
  more: Pick<CsvColumn, "words" | "isAmount" | "isNumber"> = {},
): CsvColumn => ({
  key,
  title: { en, zh },
  ...more,
});
const amount = { isAmount: true } as const;
const number = { isNumber: true } as const;

/**
 * The columns of a member's statement: what each row is for, how its amount was computed, and the balances after it.
 */
export const statementColumns: readonly CsvColumn[] = [
  column("time", "Time", "时间"),
  column("id", "Bill row", "账单编号"),
  column("type", "Type", "类型", { words: billTypeWords satisfies Words<z.infer<typeof billType>> }),
  column("source", "Source", "来源", { words: billSourceWords satisfies Words<z.infer<typeof billSource>> }),
  column("order", "Order", "订单"),
  column("basis", "Basis", "计算基数", number),
  column("rate", "Rate", "实际比例", number),
  column("level", "Level", "等级"),
  column("passed_on", "Highest umbrella points per unit below", "其下会员的最高级差积分（每件）", number),
  column("brokerage", "Commission", "佣金变动", amount),
  column("frozen", "Frozen points", "冻结积分变动", number),
  column("available", "Available points", "可用积分变动", number),
  column("brokerage_after", "Commission after", "变动后佣金", amount),
  column("frozen_after", "Frozen points after", "变动后冻结积分", number),
  column("available_after", "Available points after", "变动后可用积分", number),
  column("reverses", "Reverses bill row", "冲回的账单编号"),
  column("withdrawal", "Withdrawal", "提现编号"),
  column("adjustment", "Adjustment", "调账编号"),
];

/** The columns of the bill of all members. */
export const billColumns: readonly CsvColumn[] = [column("uid", "Member", "会员编号"), ...statementColumns];
