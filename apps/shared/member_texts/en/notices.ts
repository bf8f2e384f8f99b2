/** The notices of a member. */
export const notices = {
  title: "Notices",
  isNew: "New",
  readAll: "Mark all as read",
  choose: "Choose what you see where",
  choices: {
    title: "Choose notices",
    inbox: "In this app",
    email: "By email",
    address: "To {{address}}, at most ten mails in an hour.",
    wechat: "By WeChat",
    wechatAbout: "As often as you agree to it in the mini program.",
    save: "Save",
    saved: "Your choice was saved.",
  },
  empty: "Nothing yet. Here you see what happens to your orders, your commission and your team.",
};
