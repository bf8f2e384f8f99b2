export const release = {
  title: "积分",
  available: "可用积分",
  frozen: "冻结积分",
  today: "今日释放",
  earned: "累计积分",
  forecast: "释放预测",
  after: "{{duration}}后",
  half: "释放一半约需",
  none: "你没有冻结积分。你推荐的人下单后，你会获得新的积分。",
  explanation: "每天有一小部分冻结积分变为可用积分。预测假设期间没有新增积分。",
  history: "历史释放记录",
};
