export const system = {
  contact: { title: "联系客服", phone: "电话", wechat: "微信号", copyWechat: "复制微信号", hours: "服务时间" },
};
