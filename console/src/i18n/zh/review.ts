export const review = {
  title: "等级复核",
  about: "按退款后的现有订单，今天达不到其当前等级的会员。等级不会自动下降；如需降级，请在会员页面设置等级。",
  reached: "可达等级",
  missing: "未达条件",
  missingTask: "等级 {{grade}}：{{task}}，{{current}} / {{target}}",
  held: "已锁定",
  unknown: "未知",
  notCounted: "下级人数过多，此处不予统计。",
  empty: "所有会员今天都能达到其当前等级。",
  emptyPage: "本页没有相关会员，请继续查看下一页。",
  first: "首页",
  next: "下一页",
};
