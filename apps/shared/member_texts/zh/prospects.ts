export const prospects = {
  title: "我的收益预估",
  estimate: "以下金额为预估：按现行佣金方案、购买一件计算。实际金额以订单结算为准。",
  points: "{{points}} 积分",
  start: {
    title: "三步开始赚取佣金",
    buy: "购买一件报单商品，即可开始获得佣金",
    share: "分享你的海报，邀请好友加入",
    see: "查看好友下单将为你带来的收益",
  },
  next: {
    title: "下一笔订单可得",
    ratio: "当前比例（已计佣金上限）",
    none: "目前没有可得佣金的商品在售。",
    belowMinimum: "低于最低计佣金额",
  },
  near: {
    title: "再有一单即可升级",
    text: "再有一笔报单（以新的直推会员下单为最佳），他们即可升级。",
    none: "团队中暂无再有一单即可升级的会员。",
    all: "查看整个团队",
  },
  month: {
    title: "我的本月收益",
    month: "月份",
    commission: "佣金",
    points: "积分",
    commissionByDay: "每日佣金，合计 {{amount}}",
    pointsByDay: "每日积分，合计 {{points}}",
    byDay: "每日明细",
    nothing: "该月还没有订单带来收益。",
  },
  share: "分享海报",
};
