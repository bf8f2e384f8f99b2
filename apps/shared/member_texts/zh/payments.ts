export const payments = {
  title: "付款",
  amount: "应付金额",
  online: "在线支付",
  leaves: "将打开支付页面，完成后返回此处。",
  wechatAsks: "将打开微信支付，请按提示完成付款。",
  notOpened: { title: "未能打开微信支付", advice: "尚未扣款，请稍后重试。" },
  inWechat: "微信内无法打开此支付方式，请点击右上角菜单选择“在浏览器打开”后付款。",
  offline: "请到店付款或银行转账，并注明订单号 {{number}}。商城收款后，订单会标记为已付款。",
  understood: "知道了",
  open: "支付进行中",
  waiting: "尚未收到支付结果，本页会自动查询。",
};
