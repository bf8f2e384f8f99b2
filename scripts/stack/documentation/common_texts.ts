/** Chinese translations of texts that stand in several places, or are put together from parts. `%s` is a value. */
export const COMMON_TEXTS: Record<string, string> = {
  "next_cursor of the previous page.": "上一页的 next_cursor。",
  "A leading - sorts descending.": "以 - 开头为降序。",
  "At or after this time.": "不早于此时间。",
  "The present month if absent.": "不提供时为本月。",
  "The present year if absent.": "不提供时为本年。",
  "Masked.": "已脱敏。",
  "The lines of the CSV file. Amounts, points and rates are numbers, all other cells are text. If an error occurs after the first lines, or there are more lines than a sheet has, which is 1,048,575, the connection ends without the end of the response.":
    "与 CSV 文件相同的行。金额、积分与比例为数字，其他单元格均为文本。若在发送首批行之后出错，或行数超过工作表上限 1,048,575 行，连接会在响应完成前中断。",
  "Machine keys need the scope `%s`.": "机器密钥需要权限 `%s`。",
  "is_sign_in_ad moves the flag from the category that had it.": "is_sign_in_ad 将该标记从原分类移过来。",
  "Whether the level is held: tasks do not raise the member until an administrator ends the hold.":
    "等级是否锁定：在管理员解除锁定前，完成考核任务也不会升级。",
  "The buyer.": "买家。",
  "Whether the store has a mail server. Without one, no mail is sent.":
    "商城是否配置了邮件服务器；未配置时不发送邮件。",
  "Members below, at any depth.": "伞下会员数，不限层数。",
  "The referrer before; null for none.": "原推荐人；null 表示没有。",
  "Matured commission that cannot be withdrawn while refunds of its orders are asked for. It is not part of withdrawable.":
    "已到账、但因相应订单正在申请退款而暂不可提现的佣金，不含在 withdrawable 中。",
  "Matured commission that open refund requests hold.": "已到账、因退款申请暂扣的佣金。",
  "All points granted, with the opening balance and less reversals.": "发放的全部积分，含期初余额，已扣除冲回。",
  "The last twenty, newest first.": "最近二十个，最新的在前。",
  "The member's grade before any rise that this order caused.": "会员在该订单使其升级之前的级别。",
  "A calendar month in the store's time zone.": "商城时区的自然月。",
  "The months in which the member has bill rows, the newest first.": "会员有账单的月份，最新的在前。",
  "Null if the month is not sealed.": "该月尚未封存时为 null。",
  "What an imported member brought.": "导入的会员从原系统带来的余额。",
  "Less reversals.": "已扣除冲回。",
  "What can be withdrawn now. Negative: a debt, for example because a refund took back commission that had been withdrawn.":
    "现在可提现的金额。负数为欠款，例如退款冲回了已提现的佣金。",
  "A leading - sorts descending. Withdrawals that have not ended have no ended_at and are left out by it.":
    "以 - 开头为降序。按 ended_at 排序时，不含没有 ended_at 的未结束提现。",
  "HTML.": "HTML 格式。",
  "On sale.": "在售。",
  "Units that can still be ordered; null: unlimited.": "还可订购的件数；null：不限。",
  "What the picture shows.": "图片的内容说明。",
  "The product to which the banner leads.": "轮播图链接的商品。",
  "A part of the title.": "标题的一部分。",
  "A leading - sorts descending. An unlimited stock is the largest.": "以 - 开头为降序。不限库存视为最大。",
  "HTML. Of elements and attributes, the store keeps those of text, lists, tables, links and pictures; the response has what is kept.":
    "HTML 格式。商城只保留用于文字、列表、表格、链接与图片的元素和属性；响应为实际保留的内容。",
  "HTML. Of elements and attributes, the store keeps those of text, lists, tables, links and pictures; the response has what is kept. The whole request may have at most 64 KiB; a Chinese character takes three bytes.":
    "HTML 格式。商城只保留用于文字、列表、表格、链接与图片的元素和属性；响应为实际保留的内容。整个请求至多 64 KiB，一个汉字占三个字节。",
  "That of the first parcel.": "第一个包裹的值。",
  "Valid for five minutes, for whoever has it.": "五分钟内有效，持有链接者均可打开。",
  "Of the large file.": "以大图为准。",
  "By `shown_state`.": "按 `shown_state` 筛选。",
  "0 none, 1 requested, 2 refunded, 3 partly refunded.": "0 无，1 退款申请中，2 已退款，3 部分退款。",
  "Paid at or after this time.": "付款时间不早于此时间。",
  "Paid before this time.": "付款时间早于此时间。",
  "A leading - sorts descending. Orders that are not paid have no paid_at and are left out by it.":
    "以 - 开头为降序。按 paid_at 排序时，不含没有 paid_at 的未付款订单。",
  "Code or name of a carrier of the list.": "列表中快递公司的代码或名称。",
  "How many members there are.": "会员数。",
  "The first 20 of them, by uid.": "其中按 uid 排列的前 20 名。",
  Addresses: "地址",
  Adjustments: "调账",
  Articles: "文章",
  Bill: "账单",
  Commission: "佣金",
  Finance: "财务",
  Levels: "等级",
  Member: "当前会员",
  Members: "会员",
  Network: "团队结构",
  Notices: "通知",
  Orders: "订单",
  Overview: "概览",
  Payments: "付款",
  Points: "积分",
  Products: "商品",
  Refunds: "退款",
  Reports: "报表",
  "Requests of persons": "个人信息请求",
  Schedule: "定时任务",
  Search: "搜索",
  "Settlement jobs": "结算任务",
  Shipping: "发货",
  "Sign-in": "登录",
  System: "系统",
  Team: "团队",
  Webhooks: "Webhook 推送",
  Withdrawals: "提现",
  "Links to the pictures of the refund requests of an order": "订单退款申请图片的链接",
  "One row of the bill": "一行账单",
  "What the store owes each member, or owed each member at a past instant, as a CSV file":
    "商城对各会员的应付金额（当前或过去某一时刻），CSV 文件",
  "What the store owes each member, or owed each member at a past instant, as an Excel workbook":
    "商城对各会员的应付金额（当前或过去某一时刻），Excel 工作簿",
  "The bill of all members as a CSV file": "全部会员的账单，CSV 文件",
  "The bill of all members as an Excel workbook": "全部会员的账单，Excel 工作簿",
  "The withdrawals that were requested in a period as a CSV file": "某一期间申请的提现，CSV 文件",
  "The withdrawals that were requested in a period as an Excel workbook": "某一期间申请的提现，Excel 工作簿",
  "Income, deductions and tax of each member to whom was paid in a quarter as a CSV file":
    "某季度各收款会员的收入、扣除与税款，CSV 文件",
  "Income, deductions and tax of each member to whom was paid in a quarter as an Excel workbook":
    "某季度各收款会员的收入、扣除与税款，Excel 工作簿",
  "When the oldest waiting settlement job was created; null if none waits.":
    "等待最久的结算任务的创建时间；没有等待时为 null。",
  "When the unfinished import began that settlements wait for; null if there is none.":
    "结算所等待的未完成导入的开始时间；没有时为 null。",
  "auth_id of the administrator.": "管理员的 auth_id。",
  "uid of a member, id of an order, withdrawal or adjustment, day of a release as YYYYMMDD.":
    "会员的 uid，订单、提现或调账的 id，积分释放的日期（YYYYMMDD）。",
};

/** Chinese translations of the descriptions of event types, which the database has in English only. */
export const EVENT_TEXTS: Record<string, string> = {
  "The subject became a direct member of the member concerned.": "该对象成为所涉会员的直推会员。",
  "The member rose to a higher grade, by meeting its tasks or by hand. One event for each grade that tasks raised them.":
    "会员因完成考核任务或由管理员提升级别。因任务一次提升多个级别时，每级一个事件。",
  "WeChat refuses the nickname of the member, who has the neutral one instead.":
    "微信未通过会员的昵称，已换为默认昵称。",
  "WeChat refuses a picture that the member uploaded of themselves. Its files are removed.":
    "微信未通过会员上传的头像，其文件已移除。",
  "The store did what the member had asked of their personal data.": "商城已完成会员的个人信息请求。",
  "The store refused what the member had asked of their personal data.": "商城拒绝了会员的个人信息请求。",
  "The buyer's payment was recorded.": "买家的付款已登记。",
  "The order was marked as shipped.": "订单已标记为已发货。",
  "The shipped order, which has a parcel, got a further one.": "已有包裹的已发货订单追加了包裹。",
  "The receipt was confirmed, by the buyer, an administrator or time.":
    "已确认收货：由买家、管理员确认或到期自动确认。",
  "The unpaid order expires within ten minutes. Once for each order.": "未付款订单将在十分钟内超时关闭。每笔订单一次。",
  "The unpaid order was cancelled because its time was over.": "未付款订单因超时而取消。",
  "A person cancelled the unpaid order.": "未付款订单由人取消。",
  "The order paid the member concerned commission, and frozen points for it.":
    "订单为所涉会员带来佣金以及相应的冻结积分。",
  "A refund took back commission that the order had paid.": "退款冲回了订单发放的佣金。",
  "The commission of the order can be withdrawn: it has matured, and no open refund request holds it. Once for each order.":
    "订单的佣金可以提现：已到账，且没有因退款申请暂扣。每笔订单一次。",
  "The buyer asked for a refund of queue goods: until the answer, the commission of the order cannot be withdrawn, even if it has matured.":
    "买家为报单商品申请退款：处理完毕前，订单的佣金即使已到账也暂不可提现。",
  "The request was answered and left commission of the order, which no request holds any more.":
    "申请已处理，订单仍有佣金，且不再因申请暂扣。",
  "The buyer asked for a refund of units of the order.": "买家为订单的商品申请退款。",
  "Units of the order were refunded: a request was granted, or there was none.":
    "订单的商品已退款：申请已同意，或无申请的退款。",
  "The request was refused. has_reason is true if the store says why; the text is the refusal_reason of the refund.":
    "申请未通过。商城说明了原因时 has_reason 为 true，原因见退款的 refusal_reason。",
  "The request was granted in part. With an amount of 0.00, other refunds had paid back what it asked for.":
    "申请部分通过。金额为 0.00 时，所申请的商品已由其他退款退回。",
  "The buyer took the request back before the store answered it.": "买家在商城处理前撤回了申请。",
  "The store answered the request by asking for the goods.": "商城要求买家寄回申请中的商品。",
  "The buyer entered the return parcel. Once for each request.": "买家填写了退货的快递信息。每个申请一次。",
  "The returned goods have arrived.": "商城已收到退货。",
  "The member asked for money.": "会员申请了提现。",
  "The withdrawal may be paid.": "提现可以付款。",
  "The amount less fee and tax was paid to the member.": "金额减手续费与个税后已付给会员。",
  "The payment failed, and the amount returned to the balance.": "付款失败，金额已退回余额。",
  "The store refused it, and the amount returned to the balance.": "商城拒绝了提现，金额已退回余额。",
  "The member cancelled it before anybody had approved it, and the amount returned to the balance.":
    "会员在任何人批准前取消了提现，金额已退回余额。",
  "The adjustment waits for a second administrator.": "调账等待第二位管理员批准。",
  "The balances of the member were adjusted.": "会员的余额已调账。",
  "The second administrator refused the adjustment.": "第二位管理员拒绝了调账。",
  "The release of a business day is complete for all members: one event for the day, whose number is the subject.":
    "某营业日的积分释放已对全部会员完成：每天一个事件，对象为该日的编号。",
  "An administrator or the provider found the real name of the member right.": "管理员或服务商核验通过会员的实名信息。",
  "An administrator or the provider refused the real name of the member.": "管理员或服务商退回了会员的实名信息。",
  "The account of the member was deleted or removed. From then on the member earns nothing, and nobody joins below them.":
    "会员的账号已注销或被移除，此后不再有任何收益，也没有新会员可挂在其下。",
};
