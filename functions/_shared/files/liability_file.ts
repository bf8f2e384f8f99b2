import type { CsvColumn } from "./serve_csv.ts";

/** The columns of the liabilities by member. A negative amount that can be withdrawn is a debt of the member. */
export const liabilityColumns: readonly CsvColumn[] = [
  { key: "as_of", title: { en: "As of", zh: "截至时间" } },
  { key: "uid", title: { en: "Member", zh: "会员编号" } },
  { key: "owed", title: { en: "Owed", zh: "应付佣金" }, isAmount: true },
  { key: "withdrawable", title: { en: "Can be withdrawn", zh: "可提现" }, isAmount: true },
  { key: "held_by_refunds", title: { en: "Held by refund requests", zh: "退款暂扣" }, isAmount: true },
  { key: "maturing", title: { en: "Maturing", zh: "待到账" }, isAmount: true },
  { key: "after_receipt", title: { en: "Of it, after the receipt of an order", zh: "其中待订单收货" }, isAmount: true },
  { key: "next", title: { en: "Next maturity", zh: "下次到账日期" } },
  { key: "reserved", title: { en: "In open withdrawals", zh: "提现中" }, isAmount: true },
  { key: "frozen", title: { en: "Frozen points", zh: "冻结积分" }, isNumber: true },
  { key: "available", title: { en: "Available points", zh: "可用积分" }, isNumber: true },
  { key: "left_commission", title: { en: "Commission of a member who left", zh: "已离开会员的佣金" }, isAmount: true },
  {
    key: "left_frozen",
    title: { en: "Frozen points of a member who left", zh: "已离开会员的冻结积分" },
    isNumber: true,
  },
  {
    key: "left_available",
    title: { en: "Available points of a member who left", zh: "已离开会员的可用积分" },
    isNumber: true,
  },
];
