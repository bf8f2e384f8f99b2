import type { CsvColumn, Text } from "../serve_csv.ts";

const types: Record<string, Text> = {
  brokerage: { en: "Commission", zh: "佣金" },
  brokerage_reversal: { en: "Commission reversed", zh: "佣金冲回" },
  frozen_points_brokerage: { en: "Points granted", zh: "积分发放" },
  frozen_points_reversal: { en: "Points reversed", zh: "积分冲回" },
  frozen_points_release: { en: "Points released", zh: "积分释放" },
  opening_balance: { en: "Opening balance", zh: "期初余额" },
  withdrawal: { en: "Withdrawal", zh: "提现" },
  withdrawal_returned: { en: "Withdrawal returned", zh: "提现退回" },
  points_spent: { en: "Points spent", zh: "积分抵扣" },
  points_returned: { en: "Points returned", zh: "抵扣退回" },
  adjustment: { en: "Adjustment", zh: "调账" },
};

const sources: Record<string, Text> = {
  cycle: { en: "Commission cycle", zh: "佣金周期" },
  direct: { en: "Direct points", zh: "直推积分" },
  umbrella: { en: "Umbrella points", zh: "级差积分" },
  release: { en: "Daily release", zh: "每日释放" },
  import: { en: "From the previous system", zh: "由原系统转入" },
  withdrawal: { en: "Withdrawal", zh: "提现" },
  checkout: { en: "Checkout", zh: "下单抵扣" },
  adjustment: { en: "Made by the store", zh: "商城调账" },
};

const column = (key: string, en: string, zh: string, words?: Record<string, Text>): CsvColumn => ({ key, title: { en, zh }, ...(words && { words }) });

/** The columns of a member's statement: what each row is for, how its amount was computed, and the balances after it. */
export const statementColumns: readonly CsvColumn[] = [
  column("time", "Time", "时间"),
  column("id", "Bill row", "账单编号"),
  column("type", "Type", "类型", types),
  column("source", "Reason", "原因", sources),
  column("order", "Order", "订单"),
  column("basis", "Basis", "计算基数"),
  column("rate", "Rate", "比例"),
  column("level", "Level", "等级"),
  column("passed_on", "Points per unit of levels below", "下级已得积分（每件）"),
  column("brokerage", "Commission", "佣金变动"),
  column("frozen", "Frozen points", "冻结积分变动"),
  column("available", "Available points", "可用积分变动"),
  column("brokerage_after", "Commission after", "变动后佣金"),
  column("frozen_after", "Frozen points after", "变动后冻结积分"),
  column("available_after", "Available points after", "变动后可用积分"),
  column("reverses", "Reverses bill row", "冲回的账单编号"),
  column("withdrawal", "Withdrawal", "提现编号"),
  column("adjustment", "Adjustment", "调账编号"),
];

/** The columns of the bill of all members. */
export const billColumns: readonly CsvColumn[] = [column("uid", "Member", "会员编号"), ...statementColumns];
