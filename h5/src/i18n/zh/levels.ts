export const levels = {
  title: "等级",
  next: { title: "下一等级", to: "升级为{{level}}", top: "你已达到最高等级。" },
  held: "商城已锁定你的等级，完成任务暂不会升级。",
  all: "全部等级",
  mine: "当前等级",
  directPoints: "每件直推积分",
  umbrellaPoints: "每件级差积分",
  progress: "{{current}} / {{target}}",
  task: {
    direct_orders: "直推会员的报单数",
    umbrella_orders: "伞下会员的报单数",
    direct_members: "有报单的直推会员数",
    umbrella_members: "有报单的伞下会员数",
  },
};
