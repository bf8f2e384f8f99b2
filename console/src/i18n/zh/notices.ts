export const notices = {
  about: "有新的待处理事项时，商城会给您发邮件，只包含数量和链接，不含会员信息。请选择需要提醒的事项，默认不提醒。",
  address: "提醒发送至您的登录邮箱 {{email}}。",
  kinds: "提醒事项",
  interval: "提醒频率",
  intervals: { quarter: "最多每 15 分钟一次", hour: "最多每小时一次", hours: "最多每 4 小时一次", day: "最多每天一次" },
  notSetUp: {
    title: "商城尚未设置邮件服务器",
    advice: "设置之前不会发送提醒（见 docs/operations.md 的 “Notices by email” 一节）。您可以先选好提醒事项。",
  },
};
