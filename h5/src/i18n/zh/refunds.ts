export const refunds = {
  title: "申请退款",
  list: "退款记录",
  state: { requested: "申请中", refused: "已拒绝", refunded: "已退款" },
  units: "退款商品",
  unitsOf: "{{title}} 的退款件数",
  reason: "退款原因",
  reasonHint: "请说明遇到的问题",
  whatHappens: "商城会审核你的申请，审核期间不能修改。运费不予退还。",
  points: "+{{points}} 积分",
  pointsReturn: "这些商品抵扣的积分将随退款一并退回。",
  ask: "提交申请",
  asked: "退款申请已提交。",
};
