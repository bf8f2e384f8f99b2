export const zh = {
  signedOut: { title: "请先登录", advice: "登录后可查看订单、团队和收益。", action: "微信登录" },
  signIn: { title: "登录", advice: "使用微信账号登录，即可成为会员。", invited: "会员 {{uid}} 邀请你加入。", article: "请先阅读" },
  consent: { advice: "状态有更新时，通过微信通知你。每同意一次，可收到一条。", action: "接收通知" },
  fromWechat: "使用微信收货地址",
  region: "省市区",
  chooseRegion: "请选择省市区",
  usePoints: "使用 {{points}} 积分，抵扣 {{money}}",
  noAddress: { title: "请选择收货地址", advice: "选择收货地址后再提交订单。" },
  poster: {
    saved: "海报已保存到相册。",
    refused: { title: "无法保存海报", advice: "请在右上角“设置”中允许保存到相册，然后重试。" },
  },
  openSettings: "打开设置",
  copyLink: "复制链接",
  remove: "删除",
  yes: "确定",
  no: "取消",
};
