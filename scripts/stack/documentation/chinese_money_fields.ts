/** Fields about commission, points, the bill, tax, withdrawals, the books and reports. */
export const CHINESE_MONEY_FIELDS: Record<string, string> = {
  "The balance of commission: withdrawable, held_by_refunds and maturing.": "佣金余额：可提现、退款暂扣（held_by_refunds）与待到账之和。",
  "Matured commission that cannot be withdrawn while refunds of its orders are asked for. It is not part of withdrawable.":
    "已到账、但因相应订单正在申请退款而暂不可提现的佣金，不含在 withdrawable 中。",
  "Matured commission that open refund requests hold.": "已到账、因退款申请暂扣的佣金。",
  "How much of it open refund requests would take back, beyond what the balance covers, while nobody was told to pay it. To approve or pay it in spite of that, repeat the amount. Null if nothing is held.":
    "尚未通知任何一方付款时，该笔提现中因退款申请可能被冲回、且余额不足以抵扣的金额。如仍要批准或付款，请重复填写该金额。没有暂扣时为 null。",
  "What open refund requests hold of it, to go on in spite of them. Otherwise the answer is held_by_refunds, which states it.":
    "退款申请在该笔提现中暂扣的金额，填写后可继续；否则返回 held_by_refunds 并说明该金额。",
  "What open refund requests hold of all of them together, to go on in spite of that. Otherwise the answer is held_by_refunds, which names them and the sum.":
    "退款申请在全部这些提现中暂扣的合计金额，填写后可继续；否则返回 held_by_refunds 并列出提现单号与合计。",
  "Whether those of which refund requests hold something stay as they are, and the others go into the batch.":
    "是否留下因退款申请暂扣的提现，只将其余提现加入批次。",
  "The orders of which buyers ask for a refund, with the member's commission. Empty once a bank or WeChat was told to pay.":
    "买家正在申请退款的订单及该会员的相应佣金；已通知银行或微信付款后为空。",
  "The member whose commission it is.": "该佣金所属的会员。",
  "Whether only the request keeps it from being withdrawn.": "是否仅因该退款申请而暂不可提现。",
  "The open refund request of queue goods that holds the commission of the order. Null: none does.":
    "暂扣该订单佣金的报单商品退款申请；没有时为 null。",
  "Commission that cannot be withdrawn yet.": "尚不能提现的佣金。",
  "The part of it that matures only after the receipt of its order is confirmed.": "其中须待订单确认收货后才到账的部分。",
  "What matures on which business day.": "各营业日到账的金额。",
  "The points of today's release, whether or not it has already run.": "今日释放的积分，无论释放是否已运行。",
  "All points granted, with the opening balance and less reversals.": "发放的全部积分，含期初余额，已扣除冲回。",
  "One per place of the cycle.": "周期的每个位置一项。",
  "Whether the member has an own reported order and can therefore earn commission.": "会员是否有自购报单，因而可以获得佣金。",
  "Places taken in the open cycle.": "当前周期已占用的位置数。",
  "The order that took the place. Null if the member was imported with it; the following fields are then null, too.":
    "占用该位置的订单。会员导入时已占用的为 null，此时以下字段也为 null。",
  "The buyer's.": "买家的昵称。",
  "The rate that was paid: payout caps included.": "实际发放的比例，已计入佣金上限。",
  "What is left of it after refunds.": "退款后剩余的佣金。",
  "What is left of them after refunds.": "退款后剩余的积分。",
  "Highest share of an order's base that may be paid as commission. It also limits cycles that opened under another plan.":
    "佣金占订单计佣金额的最高比例，对按其他方案开始的周期同样有效。",
  "Frozen points per 1.00 of commission.": "每 1.00 佣金的冻结积分。",
  "Orders with a lower base pay nobody, take no place and are not counted.": "计佣金额低于此值的订单不产生佣金、不占位置，也不计入考核。",
  "Days until commission matures and can be withdrawn, from the later of receipt and settlement of the order.":
    "佣金到账并可提现所需的天数，从订单收货与结算中较晚者起算。",
  "The last twenty, newest first.": "最近二十个，最新的在前。",
  "The highest price of queue goods, on sale or not.": "报单商品的最高价格，无论是否在售。",
  "The highest ratio of the cycle.": "周期中的最高比例。",
  "The highest commission for an order of one unit.": "一件商品的订单的最高佣金。",
  "Commission as a share of the price. Null without queue goods.": "佣金占价格的比例；没有报单商品时为 null。",
  "Frozen points that come with the commission.": "随佣金发放的冻结积分（佣金积分）。",
  "The most points that the levels grant to all members together for one unit.": "一件商品按等级向全部会员发放的最高积分。",
  "The sum of commission_points and level_points.": "commission_points 与 level_points 之和。",
  "What each place of a cycle pays at that price.": "按该价格，周期各位置的佣金。",
  "Commission of a whole cycle as a share of its revenue. Null without queue goods.":
    "整个周期的佣金占其营业额的比例；没有报单商品时为 null。",
  "What the next order of one unit by a direct member would pay the member, by the member's open cycle and level and the plan in force. Null for visitors and for products that pay nothing.":
    "直推会员的下一笔一件商品的订单可为该会员带来的预估，按其当前周期、等级与现行方案计算。访客，以及不产生佣金和积分的商品为 null。",
  "Frozen points: those that come with the commission, and those of the member's level.": "冻结积分：佣金积分与按会员等级发放的积分。",
  "Why there is no commission.": "没有佣金的原因。",
  "The newest 20 products on sale that pay commission, with what the next order of one unit would pay the member.":
    "最新的 20 件产生佣金的在售商品，以及下一笔一件商品的订单可为会员带来的预估。",
  "The amount that the rate was applied to. Null for rows that are not computed from a rate.":
    "实际比例所乘的金额；不按比例计算的行为 null。",
  "The member's grade before any rise that this order caused.": "会员在该订单使其升级之前的级别。",
  "For umbrella points: the highest umbrella points per unit of the levels between the member and the buyer.":
    "级差积分：该会员与买家之间各等级中最高的每件级差积分。",
  "The withdrawal that took the money or gave it back.": "扣除或退回该金额的提现。",
  "The adjustment that changed the balances.": "使余额变动的调账。",
  "The rows that reverse this one, in whole or in part.": "全部或部分冲回此行的行。",
  "A calendar month in the store's time zone.": "商城时区的自然月。",
  "The beginning of the next month.": "下月的开始时间。",
  "The months in which the member has bill rows, the newest first.": "会员有账单的月份，最新的在前。",
  "Null if the month is not sealed.": "该月尚未封存时为 null。",
  "The root of the hash tree over the bill rows of the month.": "该月账单哈希树的根值。",
  "The root of the month before; null in the first seal.": "上月根值；首个封存月份为 null。",
  "The Ed25519 public key that verifies the signature.": "验证签名的 Ed25519 公钥。",
  "The signature of the key of the month before, which vouches for a new key.": "以上月密钥所作的签名，为新密钥作保。",
  "The place of the row in the month, from 0.": "该行在当月的序号，从 0 起。",
  "The hashes with which the leaf gives the root, from the leaf on (RFC 6962).": "从叶子起逐层计算出根值所用的哈希（RFC 6962）。",
  "Every day of the month.": "当月的每一天。",
  "The balance whose change min_amount and max_amount are about.": "min_amount 与 max_amount 所指的余额。",
  "The smallest change, without its sign.": "最小变动，不带正负号。",
  "The largest change, without its sign.": "最大变动，不带正负号。",
  "What orders earned, less reversals, at or after this time: the commission and points of a report.":
    "不早于此时间的订单收益，已扣除冲回：即报表中的佣金与积分。",
  "What orders earned, less reversals, before this time.": "早于此时间的订单收益，已扣除冲回。",
  "The number of rows. More than 100,000 are not counted: it is 100,001 then.": "行数。超过 100,000 时不再计数，为 100,001。",
  "Since when rows were searched for, if that was limited because from was not given.": "因未给出 from 而限制范围时，查找的起始时间。",
  "What an imported member brought.": "导入的会员从原系统带来的余额。",
  "Less reversals.": "已扣除冲回。",
  "Negative for a member with a debt.": "会员有欠款时为负。",
  "The amounts of open withdrawals.": "未完成提现的金额。",
  "The amounts of paid withdrawals, fees included.": "已付款提现的金额，含手续费。",
  "Points that paid for orders, less those that returned.": "抵扣订单的积分，减去已退回的积分。",
  "waiting: a second administrator must approve it. booked: it has changed the balances.":
    "waiting：须由第二位管理员批准。booked：已改变余额。",
  "The administrator who made it. Null means the owner of the database.": "发起调账的管理员；null 表示数据库所有者。",
  "Who approved or refused it; within the limits, who made it.": "批准或拒绝的人；在限额内时为发起人。",
  "At most four decimals.": "最多四位小数。",
  "What will have been released after so many days, if nothing is added.": "若不再新增，经过相应天数后累计释放的积分。",
  "Members with enough frozen points for a release.": "冻结积分足以释放的会员数。",
  "The sum over all matching rows.": "全部匹配行的合计。",
  "The highest number of members on one day. For a single member, 1 or 0.": "单日最多会员数；查询单个会员时为 1 或 0。",
  "Runs that were cut while they released this day, by a time limit, an error or a restart. Later runs release the rest.":
    "释放该营业日期间因超时、出错或重启而被中断的运行次数，剩余部分由后续运行释放。",
  "What members can withdraw, what refund requests hold and what is maturing, at least 0 for each member, and reserved: withdrawable, held_by_refunds and maturing, less debts_covered, reserved, and the commission of left.":
    "会员可提现、退款暂扣与待到账之和（每位会员至少为 0），加提现中：即 withdrawable 加 held_by_refunds 与 maturing、减 debts_covered、加 reserved，再加 left 中的佣金。",
  "What is owed to members who left without giving it up, because their accounts were removed. It is in owed, and in no other part. Two administrators pay it or declare it forfeit by an adjustment.":
    "账号被移除、且本人未放弃余额的会员的应付余额；已计入 owed，不计入其他各项。须由两位管理员通过调账付清或确认放弃。",
  "forfeit: a member who left gave it up, or two administrators declared it given up; above zero, a refund took back what was given up. payout: what a member who left was owed was paid outside the store.":
    "forfeit：离开的会员放弃的余额，或由两位管理员确认放弃；大于零时，表示退款冲回了已放弃的部分。payout：已在商城外付清离开会员的应付余额。",
  "Default: correction. forfeit and payout only take, and only from a member who has left.":
    "默认为 correction。forfeit 与 payout 只能扣减，且仅用于已离开的会员。",
  "Commission that members can withdraw now.": "会员现在可提现的佣金。",
  "Commission that members can withdraw later.": "会员以后可提现的佣金。",
  "The part of maturing whose orders have not been received. It has no date yet.": "待到账中订单尚未收货的部分，没有到账日期。",
  "Open withdrawals.": "未完成的提现。",
  "By how much the withdrawable amounts of members are below zero, for example because refunds took back commission that had been paid out.":
    "会员可提现金额低于零的部分，例如退款冲回了已提现的佣金。",
  "The part of debts that the maturing commission of the same members covers.": "欠款中由同一会员的待到账佣金可抵的部分。",
  "The rest of debts. It does not lower what other members are owed.": "其余的欠款，不减少应付其他会员的金额。",
  "What was withheld as tax of payouts, in the month of as_of until then, and in the month before.":
    "代扣的提现个税：as_of 所在月份至该时刻，以及上月。",
  "Of members whose available points are above 0.": "可用积分大于 0 的会员的可用积分。",
  "By how much the available points of other members are below 0.": "其他会员的可用积分低于 0 的部分。",
  "B and the id of a bill row, W of a withdrawal, M and the uid of a member.": "B 加账单记录的 id，W 加提现的 id，M 加会员的 uid。",
  "In the time zone of the store.": "商城时区的时间。",
  "Null for an account that all members share.": "全部会员共用的账户为 null。",
  "Debit above zero, credit below, as an exact decimal.": "借方为正，贷方为负，为精确小数。",
  "PTS: points.": "PTS：积分。",
  "They add up to 0 in each currency; those of a closing are balances.": "每个币种合计为 0；closing 中的为余额。",
  "Months that are over and not closed.": "已结束、尚未结账的月份。",
  "The figures of this instant, from what was booked before it: the first instant of a month has the end of the month before. By default now.":
    "该时刻的数据，由此前的入账得出：每月第一刻即上月末。默认为当前。",
  "The tax of the payouts of the month. The bill falls by their gross amounts and has no row of it.":
    "当月提现的个税。账单按提现总额扣减，没有个税的行。",
  "Withdrawals that became paying while tax was on and have not failed.": "在代扣期间开始付款且未失败的提现。",
  "Their gross amounts, before fees.": "其总额，未减手续费。",
  "Deductible expenses. As each deduction, what it grew by in the period: it can be negative.":
    "可扣除的费用。与各项扣除相同，为本期的增加额，可为负。",
  "Relief of tax.": "减免税额。",
  "The business month in which the withdrawals became paying.": "提现开始付款的营业月份。",
  "The years with such rows, newest first.": "有此类行的年份，最新的在前。",
  "Spaces are ignored. Alipay: a phone number or an email address.": "忽略空格。支付宝账号为手机号或邮箱地址。",
  "Only for a bank account, which needs it.": "仅银行账户填写且必填。",
  "The number of the payment. The same number is never paid twice.": "付款单号；同一单号不会重复付款。",
  "The bank and the masked number. Empty for a member whose account was deleted.": "银行与脱敏后的账号；会员已注销时为空。",
  "What leaves the balance.": "从余额中扣除的金额。",
  "What is withheld as income tax. Fixed when the withdrawal becomes paying, 0.00 until then.":
    "代扣的个税，在提现开始付款时确定，此前为 0.00。",
  "What the member receives: the amount less fee and tax.": "会员实得：金额减手续费与个税。",
  "requested: waits for a review. approved: is paid next. paying: a bank or WeChat was told to pay. refused, failed, cancelled (by the member): the amount has returned to the balance.":
    "requested：待审核。approved：待付款。paying：已通知银行或微信付款。refused、failed、cancelled（会员取消）：金额已退回余额。",
  "For wechat, what WeChat last said. confirming: the member must confirm within a day. Null before its first response.":
    "提现到微信时，微信最近一次告知的状态。confirming：会员须在一天内确认。微信首次响应前为 null。",
  "Why it was refused or failed. For wechat, it may be a code of WeChat, such as OVERDUE_CLOSE: the member did not confirm in time.":
    "拒绝或失败的原因。提现到微信时可能为微信的代码，例如 OVERDUE_CLOSE：会员未及时确认。",
  "The most that the member can withdraw now. Below minimum: nothing.": "会员现在最多可提现的金额；低于 minimum 时不能提现。",
  "From this amount on, payee_name is needed. Null: never.": "达到此金额时须填写 payee_name；null：始终不需要。",
  "The ways that the member has. wechat only if they sign in with WeChat. All amounts are before the fee. Empty: none at present.":
    "会员可用的提现方式；仅以微信登录的会员有 wechat。金额均未减手续费。空：目前不能提现。",
  "What can be withdrawn now. Negative: a debt, for example because a refund took back commission that had been withdrawn.":
    "现在可提现的金额。负数为欠款，例如退款冲回了已提现的佣金。",
  "The withdrawal that is not finished. Another one can be requested when it has ended.": "未完成的提现；完成后才能再次申请。",
  "Why the member can request no withdrawal now: no method, an open withdrawal, or less than every minimum.":
    "会员现在不能申请提现的原因：没有可用方式、有未完成的提现，或不足任一方式的最低金额。",
  "From which amount on the member cannot withdraw before they have given their real name (none), it was checked (given), or they have given it again (refused). Null: nothing is missing.":
    "从哪一金额起，会员须先提交实名信息（none）、等待核验（given）或重新提交（refused）才能提现。null：无须处理。",
  "The fee of the amount in the query.": "所查询金额的手续费。",
  "The tax of that amount if it were paid now; it is fixed when it is paid. Null if no tax is withheld.":
    "该金额现在付款时的个税，付款时确定；不代扣时为 null。",
  "What the member would receive of that amount.": "该金额的会员实得。",
  "The tax if the withdrawal became paying now. Null if it is fixed, or no tax is withheld.":
    "现在开始付款时的个税；已确定或不代扣时为 null。",
  "While WeChat waits for the member: what wx.requestMerchantTransfer takes as mchId, appId and package, unchanged. docs/mobile.md has an example.":
    "微信等待会员确认期间：wx.requestMerchantTransfer 的 mchId、appId 与 package，原样传入。示例见 docs/mobile.md。",
  "wechat: to the WeChat account with which the member signs in.": "wechat：转到会员登录所用的微信账号。",
  "Not for wechat.": "wechat 不填。",
  "The member's full name. For wechat, if amount is at least name_from of the terms.":
    "会员的真实姓名；wechat 的金额达到提现须知的 name_from 时填写。",
  "Returns the fee of this amount.": "返回该金额的手续费。",
  "The reference of the payment at the bank.": "银行的付款凭证号。",
  "Who approved it; while it waits, who approved it first. Another administrator must pay it, if there is one.":
    "批准的管理员；等待期间为第一位批准人。有其他管理员时，须由另一位付款。",
  "Whether one administrator has approved it and, above the limit of a day, a second one must, too.":
    "是否已由一位管理员批准，但超过单日限额，须由第二位同样批准。",
  "The commission that the member owes while the withdrawal has not ended, because refunds took back what it pays out. Refusing it reduces the debt. Null if nothing is owed.":
    "提现未结束期间会员所欠的佣金：退款冲回了此笔提现所含的佣金，拒绝该笔提现可减少欠款。没有欠款时为 null。",
  "What the bank pays: the amounts less fees and taxes.": "银行付款的金额：提现金额减手续费与个税。",
  "What was withheld as tax of its withdrawals.": "各笔提现代扣的个税。",
  "How many withdrawals the batch would take.": "该批次将加入的提现笔数。",
  "How many of these withdrawals pay out commission that open refund requests hold.": "其中有佣金因退款申请暂扣的笔数。",
  "How much commission is held in total. To put it into the batch all the same, send this amount as held_by_refunds. Null if nothing is held.":
    "暂扣金额合计。如仍要一并付款，请在 held_by_refunds 中填写该金额。没有暂扣时为 null。",
  "How many withdrawals have not ended.": "未结束的提现笔数。",
  "Withdrawal number, account holder, bank, account number, amount.": "提现单号、收款人、开户银行、账号、金额。",
  "Null if there is no such withdrawal.": "没有该笔提现时为 null。",
  "approved: now or before. waits: for a second administrator, who approves it, too. rejected: it cannot be approved.":
    "approved：本次或此前已批准。waits：待第二位管理员同样批准。rejected：不能批准。",
  "The code of the error with which it cannot be approved alone.": "单独批准该笔时的错误代码。",
  "What the member can withdraw now. Negative if the member has a debt.": "会员现在可提现的金额；会员有欠款时为负。",
  "WeChat's number of the transfer.": "微信的转账单号。",
  "When WeChat was last asked to transfer.": "最近一次请求微信转账的时间。",
  "When an administrator cancelled the transfer.": "管理员撤销转账的时间。",
  "Whether WeChat no longer says how it ended, which it does for 30 days, so that an administrator can.":
    "微信是否已不再告知转账结果（30 天内告知），因而可由管理员登记。",
  "The call to WeChat that is still to be made. PUT /adminapi/outbox/{id}/retry asks again now.":
    "待发往微信的请求。PUT /adminapi/outbox/{id}/retry 立即重新请求。",
  "Null unless the withdrawal is to WeChat.": "不是提现到微信的为 null。",
  "The whole account. Null for administrators without the area money, for wechat, and for a member whose account was deleted.":
    "完整的收款账户。没有权限范围 money 的管理员、提现到微信，以及会员已注销的为 null。",
  "The balance of commission.": "佣金余额。",
  "The part of it that cannot be withdrawn yet.": "其中尚不能提现的部分。",
  "How far what can be withdrawn is below zero. The next commission repays it.": "可提现金额低于零的部分，由后续佣金抵扣。",
  "A withdrawal that is not finished. Refusing it reduces the debt.": "未完成的提现；拒绝该笔提现可减少欠款。",
  "The sum of all debts.": "全部欠款之和。",
  "A leading - sorts descending. Withdrawals that have not ended have no ended_at and are left out by it.":
    "以 - 开头为降序。按 ended_at 排序时，不含没有 ended_at 的未结束提现。",
  "How many there are in each state, with the other filters.": "按其他筛选条件，各状态的笔数。",
  "The member sees it.": "会员可以看到。",
  "Paid orders, by day of payment.": "按付款日统计的已付款订单数。",
  "Paid orders with queue goods, by day of payment.": "按付款日统计的含报单商品的已付款订单数。",
  "What was paid for queue goods on the day, less what was refunded on the day. Negative if more was refunded.":
    "当日报单商品的实付金额减当日退款；退款较多时为负。",
  "Commission by booking day, less reversals.": "按入账日统计的佣金，已扣除冲回。",
  "Commission as a share of the revenue of queue goods. Null without revenue.": "佣金占报单商品营业额的比例；没有营业额时为 null。",
  "Points granted, less reversals.": "发放的积分，已扣除冲回。",
  "Business days, oldest first; the last one is today.": "营业日，最早的在前，最后一天为今天。",
  "The most days of a report of products, levels or members.": "商品、等级或会员报表的最多天数。",
  "Paid orders, by time of payment.": "按付款时间统计的已付款订单数。",
  "What was paid, freight included, by time of payment.": "按付款时间统计的实付金额，含运费。",
  "What was refunded, by time of the refund.": "按退款时间统计的退款金额。",
  "paid less refunded. Negative if more was refunded.": "paid 减 refunded；退款较多时为负。",
  "Paid orders with queue goods.": "含报单商品的已付款订单数。",
  "What was paid for queue goods less what was refunded for them.": "报单商品的实付金额减其退款。",
  "Commission by time of booking, less reversals.": "按入账时间统计的佣金，已扣除冲回。",
  "Points granted, by time of booking, less reversals.": "按入账时间统计的发放积分，已扣除冲回。",
  "Points released for the days. Null by hour.": "各营业日释放的积分；按小时统计时为 null。",
  "Members who joined.": "注册的会员数。",
  "The totals of the periods that are over.": "已结束时段的合计。",
  "The periods to compare with, in the same sequence; over is the sum of as many of them as are over, hours by the clock. Null without compare, and if the store had neither orders nor members by then.":
    "用于比较的时段，顺序相同；over 为其中与已结束时段数量相同的各时段之和，按小时统计时以钟点对应。未给 compare，或当时商城既无订单也无会员时为 null。",
  "The first day.": "第一天。",
  "What was paid for the product, without freight.": "该商品的实付金额，不含运费。",
  "Units sold, by time of payment.": "按付款时间统计的销售件数。",
  "The freight that was refunded, by time of the refund. With it, refunded of all products is what was refunded.":
    "按退款时间统计的退还运费。各商品的 refunded 与其相加，即为退款总额。",
  "Units refunded, by time of the refund.": "按退款时间统计的退款件数。",
  "before: as many periods just before. year: those of a year before, of weeks 52 weeks.":
    "before：紧接在前的同样多个时段。year：一年前的时段，按周统计时为 52 周前。",
  "Before this time, at most source_days of the report after from.": "早于此时间，且距 from 不超过报表的 source_days 天。",
  "The freight of the orders. With it, paid of all products is what was paid.": "订单的运费；全部商品的 paid 加此值即为实付金额。",
  "Revenue of queue goods.": "报单商品的营业额。",
  "Commission as a share of the revenue.": "佣金占营业额的比例。",
  "What the draft would have paid, and what was paid for the same orders. A side that paid nothing is omitted.":
    "同一批订单按草案应发放的与实际发放的；没有发放的一方省略。",
  "The same by the depth of the earners, nearest first; 100 stands for depth 100 and deeper. Null, the last one: the buyer is no longer below the earner, after a correction by hand.":
    "按佣金获得者的层数统计的同样数据，层数小的在前；100 表示第 100 层及以下。最后一项为 null：人工更正推荐关系后，买家已不在佣金获得者伞下。",
  "The twenty members who would have earned most.": "所得最多的二十名会员。",
  "The names of all members in the response.": "响应中全部会员的姓名。",
};
