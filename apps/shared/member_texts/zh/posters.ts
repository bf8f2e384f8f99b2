export const posters = {
  title: "分享",
  advice: "分享海报或链接，通过它注册的人将成为你的直推会员。",
  alt: "你的海报，含分享链接二维码",
  link: "你的分享链接",
  copy: "复制",
  copyLink: "复制分享链接",
  save: "保存海报",
  share: "分享链接",
  sharePage: "分享本页",
  guide: {
    card: "点击微信右上角的“···”，选择分享方式；也可以复制链接。",
    chat: "复制链接，粘贴到聊天中发送。",
    link: "复制链接，发送给你的朋友。",
  },
  invitation: "邀请你加入{{name}}",
};
