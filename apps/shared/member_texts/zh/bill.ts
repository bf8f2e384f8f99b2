import { billTypeWords } from "../../../../functions/_shared/words/bill_type_words.ts";
import { billSourceWords, wordsIn } from "../../../../functions/_shared/words/words.ts";

export const bill = {
  title: "账单",
  filter: "类型",
  filters: {
    ...wordsIn("zh", billTypeWords),
    all: "全部",
    frozen_points_brokerage: "积分",
    frozen_points_release: "释放",
  },
  type: wordsIn("zh", billTypeWords),
  source: wordsIn("zh", billSourceWords),
  order: "订单 {{id}}",
  dueAfterRefund: "退款后应得 {{due}}",
  available: "可用",
  frozen: "冻结",
  empty: "还没有记录。分享海报，开始获得收益。",
  share: "去分享",
  statement: {
    title: "对账单",
    month: "月份",
    opening: "月初余额",
    sums: "本月变动",
    closing: "月末余额",
    commission: "佣金",
    frozenPoints: "冻结积分",
    availablePoints: "可用积分",
    rows: "明细",
    rowCount_one: "{{count}} 笔",
    rowCount_other: "{{count}} 笔",
    download: "下载 CSV",
    empty: "本月没有记录。",
  },
};
