export const payments = {
  title: "支付通知",
  about: "支付机构发来的通知，以及商城的处理结果。",
  provider: "支付机构",
  amount: "金额",
  currency: "币种",
  reference: "付款凭证号",
  outcome: "处理结果",
  received: "收到时间",
  outcomes: { paid: "订单已付款", repeated: "重复通知", refund: "退款", transfer: "提现转账", ignored: "无需处理", refused: "已拒绝", attention: "需要处理", unverified: "签名无效" },
  empty: "尚未收到通知。",
  emptyFiltered: "没有此处理结果的通知。",
};
