export const settlement = {
  title: "结算任务",
  about: "等待结算的已付款订单，以及结算失败的订单。结算完成后不再显示。",
  attempts: "尝试次数",
  next: "下次尝试",
  error: "最近一次错误",
  since: "创建时间",
  retry: "立即重试",
  retried: "订单 {{id}} 将在一分钟内结算。",
  empty: "没有等待结算的订单。",
};
