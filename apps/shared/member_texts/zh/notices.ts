export const notices = {
  title: "通知",
  isNew: "未读",
  readAll: "全部标为已读",
  choose: "设置通知方式",
  choices: {
    title: "通知设置",
    inbox: "在本应用中显示",
    email: "邮件通知",
    address: "发送至 {{address}}，每小时最多十封。",
    wechat: "微信通知",
    wechatAbout: "你在小程序中每同意一次，可收到一条。",
    save: "保存",
    saved: "通知设置已保存。",
  },
  empty: "还没有通知。订单、佣金和团队的动态会显示在这里。",
};
