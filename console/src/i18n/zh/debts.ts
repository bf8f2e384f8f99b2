export const debts = {
  title: "欠款",
  about: "退款后，已提现的佣金超过应得佣金的会员。后续佣金将先抵扣欠款，抵扣完之前不能提现。",
  debt: "欠款",
  balance: "余额",
  maturing: "其中待到账",
  open: "未完成的提现",
  show: "审核",
  total: "合计 {{total}}",
  empty: "没有欠款的会员。",
};
