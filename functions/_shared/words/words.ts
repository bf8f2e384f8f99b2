// The words for codes that stand in several places: files, errors, the console and the H5 app. Words that one place
// alone shows, or that administrators and members read differently, such as the states of orders, are in the texts of
// that place.

/** A word in both languages, by code. */
export type Words<Code extends string> = Record<Code, { en: string; zh: string }>;

export const billSourceWords = {
  cycle: { en: "Commission cycle", zh: "佣金周期" },
  direct: { en: "Direct points", zh: "直推积分" },
  umbrella: { en: "Umbrella points", zh: "级差积分" },
  release: { en: "Daily release", zh: "每日释放" },
  import: { en: "From the previous system", zh: "由原系统转入" },
  withdrawal: { en: "Withdrawal", zh: "提现" },
  checkout: { en: "Checkout", zh: "下单抵扣" },
  adjustment: { en: "Made by the store", zh: "商城调账" },
};

/** For administrators. Members choose among their own accounts, so the H5 app says bank account. */
export const withdrawalMethodWords = {
  bank: { en: "Bank", zh: "银行" },
  alipay: { en: "Alipay", zh: "支付宝" },
  wechat: { en: "WeChat", zh: "微信" },
};

export const withdrawalStateWords = {
  requested: { en: "Waiting for review", zh: "待审核" },
  approved: { en: "Approved", zh: "已批准" },
  paying: { en: "Being paid", zh: "付款中" },
  paid: { en: "Paid", zh: "已付款" },
  refused: { en: "Refused", zh: "已拒绝" },
  failed: { en: "Failed", zh: "付款失败" },
  cancelled: { en: "Cancelled", zh: "已取消" },
};

/** By `refund_status` of an order; 0 is no refund. */
export const refundStatusWords = {
  "1": { en: "Refund requested", zh: "退款申请中" },
  "2": { en: "Refunded", zh: "已退款" },
  "3": { en: "Partly refunded", zh: "部分退款" },
};

/** How far the goods of a refund request have returned. */
export const returnStateWords = {
  asked: { en: "Goods asked for", zh: "待寄回" },
  sent: { en: "Goods on their way back", zh: "退货途中" },
  received: { en: "Returned goods received", zh: "已收到退货" },
};

/** The kinds of what waits for an administrator (app.waiting_kinds). */
export const waitingWords = {
  shipment: { en: "Orders to ship", zh: "待发货订单" },
  refund: { en: "Refund requests", zh: "待处理的退款申请" },
  overdue_person_request: { en: "Overdue requests of persons", zh: "已逾期的个人信息请求" },
  person_request: { en: "Requests of persons", zh: "待处理的个人信息请求" },
  payment: { en: "Offline payments to confirm", zh: "待确认的线下付款" },
  withdrawal_approval: { en: "Withdrawals to review", zh: "待审核提现" },
  withdrawal_payment: { en: "Withdrawals to pay", zh: "待付款提现" },
  adjustment: { en: "Adjustments to decide", zh: "待审批调账" },
  month_to_close: { en: "Months to close", zh: "待结账月份" },
  low_stock: { en: "Products low in stock", zh: "库存不足的商品" },
  failed_call: { en: "Failed calls to providers", zh: "失败的后台请求" },
  failed_settlement: { en: "Failed settlements", zh: "结算失败的订单" },
  late_job: { en: "Scheduled jobs that are late", zh: "未按时运行的定时任务" },
  reconcile_finding: { en: "Findings of the last reconciliation", zh: "最近一次对账发现的问题" },
  settings_finding: { en: "Findings of the configuration check", zh: "配置检查发现的问题" },
  stopped_webhook: { en: "Webhooks that were switched off", zh: "已自动停用的 Webhook" },
};

export const taskWords = {
  direct_orders: { en: "Reported orders of direct members", zh: "直推会员的报单数" },
  umbrella_orders: { en: "Reported orders of the downline", zh: "伞下会员的报单数" },
  direct_members: { en: "Direct members with a reported order", zh: "有报单的直推会员数" },
  umbrella_members: { en: "Downline members with a reported order", zh: "有报单的伞下会员数" },
};

/** The words of one language. */
export function wordsIn<Code extends string>(language: "en" | "zh", words: Words<Code>): Record<Code, string> {
  return Object.fromEntries(
    Object.entries<Words<Code>[Code]>(words).map(([code, word]) => [code, word[language]]),
  ) as Record<Code, string>;
}

/** The codes of words, as a list. */
export const codesOf = <Code extends string>(words: Words<Code>): Code[] => Object.keys(words) as Code[];
