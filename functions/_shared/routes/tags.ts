import { bilingual } from "../words/bilingual.ts";
/** The subjects of the routes, as the documents group them, with what each is about. */
export const TAGS = {
  Addresses: bilingual("Where orders are sent.", "订单的收货地址。"),
  Adjustments: bilingual(
    "Corrections of balances by administrators, and their approval.",
    "管理员对余额的更正及其批准。",
  ),
  Articles: bilingual(
    "Articles and their categories, among them those that visitors read before they sign in.",
    "文章及其分类，包括访客登录前阅读的文章。",
  ),
  Assistants: "Tools with which language models read the store.",
  Bill: bilingual("The rows that explain every balance.", "解释每笔余额的账单行。"),
  Commission: bilingual("The commission of members, and the plan that decides it.", "会员的佣金及决定佣金的方案。"),
  Finance: bilingual(
    "What the store owes, closed months, and files for the books.",
    "商城的应付款、已结账月份与账务文件。",
  ),
  Levels: bilingual("The levels of members and their tasks.", "会员等级及其考核任务。"),
  Member: bilingual("The member who is signed in.", "当前登录的会员。"),
  Members: bilingual("All members, for administrators.", "全部会员，供管理员使用。"),
  Network: bilingual("The members below a member, by depth.", "按层数查看会员的伞下会员。"),
  Notices: bilingual(
    "The inbox of a member, and which notices come by other ways.",
    "会员的通知，以及以其他方式接收的通知。",
  ),
  Orders: bilingual("Orders from the cart to the receipt.", "从购物车到确认收货的订单。"),
  Overview: bilingual("The figures of the first page of the console.", "管理后台首页的数据。"),
  Payments: bilingual("Payments of orders, and the notifications of their providers.", "订单付款与支付机构的通知。"),
  Pictures: "Pictures that members and administrators upload.",
  Points: bilingual("Frozen and available points, and their daily release.", "冻结与可用积分，及其每日释放。"),
  Posters: "Pictures with the code of a member.",
  Products: bilingual("Products, their categories and search.", "商品、分类与搜索。"),
  Refunds: bilingual("Refunds, their requests and previews.", "退款、退款申请与预览。"),
  Reports: bilingual("Figures by time, product, level and member.", "按时间、商品、等级与会员统计的数据。"),
  "Requests of persons": bilingual(
    "Who asked for a copy, a correction or the deletion of their data, and what was done.",
    "谁请求副本、更正或删除个人信息，以及处理情况。",
  ),
  Schedule: bilingual("The jobs that run by the clock.", "定时运行的任务。"),
  Search: bilingual("One search over members, orders and withdrawals.", "统一搜索会员、订单与提现。"),
  "Settlement jobs": bilingual("Orders whose settlement waits or has failed.", "结算等待中或失败的订单。"),
  Shipping: bilingual("Parcels, carriers and files for them.", "包裹、快递公司与相关文件。"),
  "Sign-in": bilingual("What visitors need before they sign in.", "访客登录前所需的内容。"),
  Signals: bilingual("Members and orders that somebody should look at.", "需要有人查看的会员与订单。"),
  System: bilingual(
    "Settings, administrators, keys, health and metadata of the store.",
    "商城的设置、管理员、密钥、健康状况与元数据。",
  ),
  Team: bilingual("The members whom a member has referred.", "会员推荐的会员。"),
  Webhooks: bilingual(
    "Addresses of other systems that get events, and what is sent to them.",
    "接收事件的外部系统地址，以及推送的内容。",
  ),
  Withdrawals: bilingual("Commission that is paid out to members.", "支付给会员的佣金。"),
  Worker: "Calls that the store makes itself.",
} as const;

export type Tag = keyof typeof TAGS;
