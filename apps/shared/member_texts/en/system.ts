/** The store itself. */
export const system = {
  contact: {
    title: "Contact the store",
    phone: "Phone",
    wechat: "WeChat ID",
    copyWechat: "Copy the WeChat ID",
    hours: "Hours",
  },
};
