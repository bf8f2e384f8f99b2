export const session = {
  title: "商城管理后台",
  forWhom: "仅供商城管理员使用。",
  email: "邮箱",
  password: "密码",
  showPassword: "显示或隐藏密码",
  signIn: "登录",
  otherAccount: "使用其他账号",
  expired: { title: "登录已过期", advice: "请重新登录后继续。页面和您的输入都会保留。" },
  failed: {
    wrong_password: { title: "邮箱或密码错误", advice: "请检查后重试。" },
    no_administrator: { title: "该账号不是管理员", advice: "已为您退出登录。请联系商城负责人将该账号设为管理员。" },
    not_reachable: { title: "登录服务没有响应", advice: "请检查网络后重试。" },
  },
};
