export const outbox = {
  title: "待处理请求",
  about:
    "尚未完成的后台请求：查询支付结果、关闭支付单、原路退款、提现转账，以及向微信上传发货信息。支付机构确认结果后，请求会从此列表移除。",
  kind: "请求",
  cause: "订单或提现",
  kinds: {
    query_payment: "查询支付结果",
    close_payment: "关闭支付单",
    refund_payment: "原路退款",
    upload_shipping: "上传发货信息",
    transfer: "提现转账",
  },
  number: "支付机构单号",
  states: { waiting: "等待中", failed: "失败" },
  attempts: "尝试次数",
  problem: "最近的问题",
  next: "下次尝试",
  since: "创建时间",
  retry: "立即重试",
  retried: "正在请求支付机构。",
  empty: "没有未完成的请求。",
  emptyFiltered: "没有处于此状态的请求。",
};
