import { billSourceWords, billTypeWords, wordsIn } from "../../../../functions/_shared/files/bill_words.ts";

export const bill = {
  title: "账单",
  archivedUntil: "{{day}} 之前的记录已归档，如需查看请联系商城。",
  filter: "类型",
  filters: { all: "全部", brokerage: "佣金", frozen_points_brokerage: "积分", frozen_points_release: "释放", brokerage_reversal: "佣金冲回", frozen_points_reversal: "积分冲回", opening_balance: "期初余额", withdrawal: "提现", withdrawal_returned: "提现退回", points_spent: "积分抵扣", points_returned: "抵扣退回", adjustment: "调账" },
  type: wordsIn("zh", billTypeWords),
  source: wordsIn("zh", billSourceWords),
  order: "订单 {{id}}",
  available: "可用",
  frozen: "冻结",
  empty: "还没有记录。分享海报，开始获得收益。",
  share: "去分享",
  statement: {
    title: "对账单", month: "月份", opening: "月初余额", sums: "本月变动", closing: "月末余额", commission: "佣金", frozenPoints: "冻结积分",
    availablePoints: "可用积分", rows: "明细", rowCount_one: "{{count}} 笔", rowCount_other: "{{count}} 笔", download: "下载 CSV", empty: "本月没有记录。",
  },
};
