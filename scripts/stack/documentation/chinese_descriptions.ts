/** The paragraphs of the descriptions of routes in Chinese, for the page of the documents. `%s` is a value. test/contract/documents_in_chinese.test.ts holds that it is complete. */
export const CHINESE_DESCRIPTIONS: Record<string, string> = {
  "Machine keys need the scope `%s`.": "机器密钥需要权限 `%s`。",
  "Null if there is none. The client then shows the sign-in directly.": "没有时为 null，客户端直接显示登录。",
  "Without products that are not on sale, banners that lead to them, and categories without others.":
    "不含未上架商品、指向它们的轮播图，以及没有其他商品的分类。",
  "A few times an hour, so it is a POST. Idempotency-Key is rejected.": "每小时限几次，因此为 POST；不接受 Idempotency-Key。",
  "An access token stays valid until it expires, within the hour. It cannot be renewed.":
    "访问令牌在到期前（一小时内）仍有效，但不能续期。",
  "The session began within the last 15 minutes. The body repeats what GET returned as forfeit, which is the consent to give it up, and with it what the account earns until its deletion. Seven days later, everything personal is deleted; orders and the bill stay without a name.":
    "须在 15 分钟内登录。请求体重复 GET 返回的 forfeit，表示同意放弃这些权益以及注销前的后续收益。七天后删除全部个人信息；订单与账单匿名保留。",
  "A copy or a deletion that the member did alone is among them.": "包含会员自行完成的副本导出或注销。",
  "For what the member cannot do alone. Of each kind, one request is open at a time.":
    "用于会员无法自行完成的事项。每种同时只能有一个未处理完的请求。",
  "The parameters of wx.config, with which a page in WeChat sets the card that WeChat shows when the page is shared.":
    "wx.config 的参数；微信内的页面据此设置分享卡片。",
  "WeChat asks when the address is entered: the signature is over token, timestamp and nonce, and the answer is echostr.":
    "填写地址时由微信请求：对 token、timestamp 与 nonce 签名，返回 echostr。",
  "Encrypted JSON (secure mode), whose msg_signature authenticates the sender. What WeChat says of pictures is recorded; repeated and other messages have no effect.":
    "加密的 JSON（安全模式），以 msg_signature 验证发送方。记录微信对图片的审核结果；重复及其他消息不产生影响。",
  "Exchanges the code of wx.login, or of a web page in WeChat, for a session of Supabase Auth. The first sign-in creates the account; later ones ignore spread, nickname and avatar. Get a new code for every attempt: codes work once. Idempotency-Key is rejected.":
    "用 wx.login 或微信网页授权的 code 换取 Supabase Auth 会话。首次登录创建账号；之后忽略 spread、nickname 与 avatar。code 仅可使用一次，每次请重新获取。不接受 Idempotency-Key。",
  "The code is that of a button with open-type getPhoneNumber. The number is for contact; it does not become a way to sign in. Idempotency-Key is rejected.":
    "code 来自 open-type 为 getPhoneNumber 的按钮。号码仅供联系，不作为登录方式。不接受 Idempotency-Key。",
  "Balances at the beginning and the end, and the sums for each bill type and source. The rows are those of GET /api/bill from `from` to `to`.":
    "期初与期末余额，以及各账单类型与来源的合计。明细为 GET /api/bill 中 `from` 至 `to` 的行。",
  "At most three times in an hour, together with POST /api/user/export. Idempotency-Key is rejected. `docs/verify_seal.html` checks it without the store.":
    "与 POST /api/user/export 合计每小时最多三次。不接受 Idempotency-Key。`docs/verify_seal.html` 可脱离商城进行验证。",
  "Estimates by the member's cycle and level, the plan in force and its payout cap: a settlement decides what an order pays.":
    "按会员的周期与等级、生效方案及其佣金上限预估；订单实际的发放以结算为准。",
  "Less what refunds took back that day, so that a day can be negative.": "已减去当日退款冲回的金额，因此某日可能为负。",
  "Null if there is no share link with this uid and share code, or if its member has left. A link without a share code names the referrer, too, but nobody tells the name. Limited by the address of the caller.":
    "没有该 uid 与分享码的链接，或其会员已注销时为 null。没有分享码的链接同样指定推荐人，但不显示姓名。按调用方地址限制次数。",
  "That of the store, or of a product. Administrators choose the design.": "商城或某商品的海报。样式由管理员选择。",
  "The first one becomes the default.": "第一个地址成为默认地址。",
  "Orders that were placed before keep the address that they copied.": "已下的订单保留下单时的地址。",
  "If it was the default, the newest of the others becomes the default.": "若为默认地址，则其余最新的地址成为默认。",
  "The client keeps the cart. Nothing is stored, and no stock is taken.": "购物车由客户端保存；不存储任何内容，不占库存。",
  "Places no order and takes no stock.": "不下单，不占库存。",
  "With timing confirm, commission and points are booked in the same transaction. While data of another system is being imported, that is not possible: retry later.":
    "结算时机为 confirm 时，佣金与积分在同一事务中入账。导入其他系统数据期间无法进行，请稍后重试。",
  "Without lines, the request covers all units that are left. While it is open, the order does not count for tasks. Possible from the payment until `refund_request_until` of the order.":
    "未指定商品行时，申请覆盖剩余全部商品。申请处理完之前，订单不计入考核。付款后至订单的 `refund_request_until` 之前可以申请。",
  "Until the store has answered it, or the goods were sent back. Another request can follow.":
    "商城处理前或商品寄出前可以撤回；之后可以再次申请。",
  "Only if the store has asked for them (`goods_return`). It can be corrected until the goods have arrived.":
    "仅在商城要求退货时（`goods_return`）。商品收到前可更正。",
  "Returns what the client passes to the provider. Repeating the request continues the same payment while it is open. Another method or payer ends it and starts a new one. That the client of the provider reports success proves nothing: read GET /api/order/{id}/payment.":
    "返回客户端传给支付机构的内容。支付进行中时，重复请求将继续同一笔支付；更换方式或付款人则结束并重新发起。支付客户端报告成功不足为凭，请查询 GET /api/order/{id}/payment。",
  "While a payment is open, the provider is queried, at most once in two seconds.": "支付进行中时查询支付机构，至多每两秒一次。",
  "For configured providers: wechat (WeChat Pay, API v3), hmac (Standard Webhooks) and, in the local stack, local. The signature over the raw body authenticates the sender. Repeated notifications have no second effect. The order is settled in the background. Refunds and transfers that the store did not request are accepted without an effect.":
    "适用于已配置的支付机构：wechat（微信支付 API v3）、hmac（Standard Webhooks），以及本地环境的 local。以原始请求体的签名验证发送方。重复通知不会再次生效。订单在后台结算。非商城发起的退款与转账通知会被接收但不产生影响。",
  "At most 10. The same account again returns the existing one. The number is never returned whole.":
    "最多 10 个。重复提交同一账户返回已有账户。账号不会完整返回。",
  "The amount leaves the balance at once and returns if the withdrawal is refused or fails. A member has one open withdrawal at a time.":
    "金额立即从余额扣除；提现被拒绝或失败时退回。每位会员同时只能有一笔未完成的提现。",
  "The amount returns to the balance at once. The same quota limits it as the cancellation of orders.":
    "金额立即退回余额。与取消订单共用次数限制。",
  "Only while the store asks for it (real_name of the withdrawal terms). It is encrypted, and shown whole only to administrators of the area money, each time on record. It replaces one that is not checked, unless a withdrawal is open. At most 5 times in an hour.":
    "仅在商城要求时（提现须知的 real_name）。信息加密保存，只有资金管理员可完整查看，且每次留有记录。未核验的实名信息可被替换，有未完成的提现时除外。每小时最多 5 次。",
  "A withdrawal counts in the month in which it became paying; one that failed does not count.": "提现计入开始付款的月份；失败的不计入。",
  "What the member did is left out: they know it. `functions/_shared/notices/notice_texts.ts` has the words for each type in both languages.":
    "不含会员自己的操作。`functions/_shared/notices/notice_texts.ts` 有各类型的中英文文案。",
  "For a badge. Ask at most once in a minute.": "用于角标，每分钟至多请求一次。",
  "By topic: in the inbox, by email, by WeChat.": "按通知类别：站内通知、邮件、微信。",
  "The result of wx.requestSubscribeMessage. Each accepted template is one message. Send an Idempotency-Key: a repeated request would count again.":
    "wx.requestSubscribeMessage 的结果。每个同意的模板对应一条消息。请附带 Idempotency-Key，否则重复请求会重复计数。",
  "Computed from the tables: a step is done as soon as the store shows it.": "由数据表计算：商城中出现结果即视为完成。",
  "Weeks begin on Monday; weeks and months are whole. At most 48 hours, 400 days, 110 weeks or 60 months. Without from, the last day, 30 days, 13 weeks or 12 months.":
    "每周从周一开始；周与月均为完整周期。最多 48 小时、400 天、110 周或 60 个月。未给 from 时为最近一天、30 天、13 周或 12 个月。",
  "Orders and refunds count for the referrer whom the buyer had when the order was placed.": "订单与退款归属下单时买家的推荐人。",
  "States facts. Which of them matter is the decision of the owner of the store.": "只陈述事实；其重要性由商城所有者判断。",
  "Texts have no wildcards. Phone numbers and email addresses are not found here, but by POST /adminapi/search/contact.":
    "不支持通配符。手机号与邮箱不在此查找，请用 POST /adminapi/search/contact。",
  "The action log records who looked and whom they found, but not the number or address. It is in the body, so that no log of a network has it.":
    "操作记录包含查找人及查到的会员，不含号码或邮箱。查询内容放在请求体中，不会留在网络日志里。",
  "Only kinds that the roles of the caller allow to deal with. What the caller may not decide does not wait for them: orders and balances of their own member account, and what they have made or approved and a second administrator must decide. The lists of orders, withdrawals and adjustments show the same rows with `waiting=<kind>`.":
    "仅含当前角色可处理的种类。无权决定的事项不计入：本人会员账号的订单与余额，以及本人发起或批准、须由第二位管理员决定的事项。订单、提现与调账列表以 `waiting=<kind>` 显示相同的行。",
  "A notice has counts and links of what waits for the caller. It is sent when something new of these kinds waits, at most once in so many minutes. Kinds that the roles of the caller do not allow are left out.":
    "邮件列出待处理事项的数量与链接。有此类新事项时发送，在设定的分钟数内至多一次。不含当前角色无权处理的种类。",
  "Replaces all views of the list, whose names differ. Nobody else sees them. The action log has their number, not their texts.":
    "替换该列表的全部视图，名称不可重复。仅本人可见。操作记录只有数量，没有内容。",
  "Writes nothing.": "不写入任何数据。",
  "Writes nothing. It is refused for the reasons for which setting the referrer would be.":
    "不写入任何数据；不能设置推荐人时，以相同的原因拒绝。",
  "Possible as long as no order of the member, or of anyone below, is settled or imported: then nothing that was paid depends on it. Orders that wait for their settlement and name a referrer get the new one; an order that was placed without a referrer pays nobody. Repeating the request changes nothing.":
    "仅当该会员及其所有下级都没有已结算或导入的订单时可用，此时没有任何已支付的金额依赖于推荐关系。待结算且已有推荐人的订单同时改为新推荐人；下单时没有推荐人的订单不产生佣金。重复请求不产生变化。",
  "A past instant has the referrer, level, flags, balances, cycle and accounts that the member had then, with the plan that was in force. Names, phone and picture have no history and are those of now.":
    "过去某一时刻显示会员当时的推荐人、等级、标记、余额、周期与账户，以及当时生效的方案。姓名、电话与头像没有历史，显示当前值。",
  "Give what you have seen: a nickname or picture that the member has chosen since stays in doubt. Repeating the request changes nothing.":
    "请提交您看到的内容：会员之后更换的昵称或图片仍保持疑似状态。重复请求不产生变化。",
  "For a member who asks for their data. Account numbers are complete, so the role owner or finance is needed. It is a POST, because the action log has each reading. Idempotency-Key is rejected.":
    "用于会员索取本人数据。账号完整显示，因此需要所有者或财务角色。每次读取都计入操作记录，故为 POST。不接受 Idempotency-Key。",
  "Orders of a flagged member do not count for the tasks of others. Without a body, the flag is set.":
    "不参与考核的会员，其订单不计入他人的考核任务。没有请求体时设置标记。",
  "The member reads the answer, and is told when the request is closed. An answer is final; the same one again changes nothing. A request for a deletion is done by the deletion of the account only.":
    "会员可看到答复，并在结案时收到通知。答复为最终结果，重复提交不产生变化。删除请求只能通过注销账号完成。",
  "Unless a member is given, types, sources, levels and amounts are searched for within 31 days at a time, amounts of points that a daily release may have within a day, and what orders earned within 93 days. Without from, these are the last days before to, and searched_from says since when.":
    "未指定会员时，类型、来源、等级与金额每次在 31 天内查询；可能来自每日释放的积分金额在一天内查询；订单收益在 93 天内查询。未给 from 时为 to 之前的最近若干天，searched_from 说明起始时间。",
  "For everyone who may see the rows of the member. `docs/verify_seal.html` checks it without the store.":
    "供有权查看该会员账单的人使用。`docs/verify_seal.html` 可脱离商城进行验证。",
  "Booked at once within the limits of the settings. Above them, and always for a member who has left, it waits until a second administrator with the role owner or finance approves it. The kinds payout and forfeit end what a member who left is still owed. A member who gave up their balances when they deleted the account is given at most what they owe. Send an Idempotency-Key, so that a repeated request makes no second adjustment.":
    "在设置的限额内立即入账；超出时，以及会员已离开时，等待第二位具有所有者或财务角色的管理员批准。payout 与 forfeit 用于了结已离开会员的应付余额。会员注销时已放弃余额的，调账最多只能抵销其欠款。请附带 Idempotency-Key，以免重复请求造成第二笔调账。",
  "The lines are sorted by uid. Members without commission and points have none.": "按 uid 排序；没有佣金与积分的会员不列出。",
  "By the months in which withdrawals became paying, while tax was on, without those that failed: a payment that fails later changes the file of its quarter. Sorted by uid.":
    "按提现开始付款的月份、在代扣税款启用期间统计，不含失败的提现；之后失败的付款会改变该季度的文件。按 uid 排序。",
  "Parts: opening (what members bring into the month), bill, payouts (withdrawals that were paid), closing (the balances that must result). `npm run export:journal` writes them for hledger, Ledger and Beancount, with what commission the rules make of the orders.":
    "各部分：opening（会员月初余额）、bill（账单）、payouts（已付提现）、closing（应得的月末余额）。`npm run export:journal` 为 hledger、Ledger 与 Beancount 输出，并附规则对订单计算的佣金。",
  "Asks for a finished reconciliation that found nothing, began after the end of the month and is at most 7 days old. Keeps the sums of the month. No bill row can be dated into a closed month. Where the key of the seals is configured, the worker then seals it. Closing a closed month changes nothing.":
    "要求有一次在月末之后开始、7 天内完成且没有差异的对账。保存该月合计；之后账单不能记入该月。若配置了封存密钥，随后由后台处理程序封存。重复结账不产生变化。",
  "The order is settled in the background. Repeating the request with the same reference changes nothing. Above the limit of a day, the order stays unpaid until a second administrator with the role owner or finance records the payment, too; without a reference, with that of the first.":
    "订单在后台结算。以相同付款凭证号重复请求不产生变化。超出每日限额时，须由第二位具有所有者或财务角色的管理员同样登记后，订单才为已付款；未给凭证号时沿用第一位的。",
  "The order stays unpaid. Repeating the request changes nothing; the payment can be recorded anew. Whoever recorded it can take it back by this, too.":
    "订单保持未付款。重复请求不产生变化；可重新登记付款。登记人也可由此撤回。",
  "With its first parcel, if carrier or tracking number are given. A repeated request with others corrects them, until the receipt is confirmed. An order whose receipt was confirmed first gets its parcel, too, and stays received. POST /adminapi/order/{id}/parcel adds further parcels.":
    "给出快递公司或运单号时，同时登记第一个包裹。确认收货前，以其他值重复请求即为更正。先确认收货、后登记发货的订单同样记录包裹，状态仍为已收货。POST /adminapi/order/{id}/parcel 新增更多包裹。",
  "Without lines, of all units that are left. Requests nothing.": "未填写 lines 时为剩余的全部件数；不提交申请。",
  "Reduces commission and points to what the rest of the order should have paid. Repeating the request with the same refund_ref changes nothing.":
    "将佣金与积分减至订单剩余部分应得的数额。以相同 refund_ref 重复请求不产生变化。",
  "An order with queue goods counts towards tasks again, which can raise levels.": "含报单商品的订单将重新计入考核，可能使会员升级。",
  "The buyer sees the return address of the settings and enters the parcel. The request stays open; it can be refunded or refused at any time. Repeating the request changes nothing.":
    "买家看到设置中的退货地址并填写快递信息。申请仍待处理，可随时退款或拒绝。重复请求不产生变化。",
  "Also if the buyer has entered no parcel. Refunds nothing. Repeating the request changes nothing.":
    "买家未填写快递信息时也可登记。不会退款。重复请求不产生变化。",
  "About its reason, or about one of its pictures. Repeating the request changes nothing.":
    "针对其原因或其中一张图片。重复请求不产生变化。",
  "For a notification with the outcome attention. The refund is requested in the background, and queried until the provider has decided.":
    "用于结果为 attention 的通知。退款在后台申请，并持续查询直至支付机构给出结果。",
  "Takes the named withdrawals, or all that are approved, at most the 10,000 oldest, without the administrator's own and, if another administrator can pay them, without those that the administrator approved. From then on they are paying.":
    "包含指定的提现，或全部已批准的提现（最早的至多 10,000 笔）；不含管理员本人的提现，若有其他管理员可付款，也不含其本人批准的提现。此后状态为付款中。",
  "UTF-8 with a byte order mark. The titles are in English or Chinese, depending on Accept-Language. The same rows each time; the account of a member who was deleted since is empty.":
    "UTF-8，带字节顺序标记。表头按 Accept-Language 为中文或英文。每次行相同；之后注销的会员账户为空。",
  "The rows of the CSV file. Account numbers are text, so that no program rounds them or drops a leading zero; amounts are numbers with two decimals.":
    "与 CSV 文件相同的行。账号为文本，避免被舍入或丢失前导零；金额为两位小数的数字。",
  "Record those that failed before.": "请先登记失败的提现。",
  "Each is approved as by PUT /adminapi/withdrawal/{id}/approve, in the sequence of the ids. One that cannot be approved, or of which refund requests hold something, stops no other. If none can, the response is the error of the last.":
    "逐笔按 PUT /adminapi/withdrawal/{id}/approve 批准，按 id 的顺序。某笔不能批准或因退款申请暂扣不影响其他；全部不能批准时返回最后一笔的错误。",
  "Above the limit of a day, it waits for a second administrator, who approves it, too. If it is to WeChat, WeChat is asked in the background to transfer it. An approved transfer that refund requests hold since then goes on after another approval with their amount.":
    "超出每日限额时，等待第二位管理员同样批准。提现到微信时，在后台请求微信转账。批准之后因退款申请暂扣的微信转账，须填写该金额再次批准后才继续。",
  "In the background. The withdrawal is paying until WeChat says how it ended; if it was cancelled, the amount returns to the balance.":
    "在后台进行。微信给出结果前提现为付款中；撤销后金额退回余额。",
  "The amount returns to the balance.": "金额退回余额。",
  "With tax on, a withdrawal must be paying: its tax is fixed then. Not for wechat: WeChat itself says how its transfers end. After 30 days it no longer does, and this is allowed.":
    "启用代扣税款时，提现须为付款中，其税款已确定。不适用于微信：微信会告知转账结果；30 天后不再告知，此时可以登记。",
  "The amount returns to the balance. Only when the bank has said so: a payment whose result is unknown stays paying. WeChat itself says how its transfers end.":
    "金额退回余额。仅在银行确认失败后登记；结果未知的付款保持付款中。微信会告知转账结果。",
  "The action log records who read whose real name. No machine key can do this.":
    "操作记录包含谁查看了谁的实名信息。机器密钥不能进行此操作。",
  "A refused one is to be given again. A checked one can be refused when it has changed.":
    "被退回的须重新提交。已核验的信息变更后可以退回。",
  "The cumulative method counts them from the next payout on. Rows never change: a correction is another one with negative amounts. The sums of a month cannot be negative.":
    "累计预扣法从下一笔付款起计入。记录不会修改：更正时另记一行负数。某月合计不能为负。",
  "Earlier orders keep the title, price and flag with which they were placed.": "此前的订单保留下单时的标题、价格与标记。",
  "Name each category once.": "每个分类只能出现一次。",
  "Both in the sequence in which the app shows them. What is not on sale is kept, and shown again when it is.":
    "均按应用显示的顺序。未上架的保留，上架后重新显示。",
  "is_sign_in_ad moves the flag from the category that had it.": "is_sign_in_ad 将该标记从原分类移过来。",
  "Omitted settings keep their current values. Open cycles keep the plan with which they opened.":
    "未给出的设置保持当前值。进行中的周期沿用开启时的方案。",
  "Nothing is saved. Omitted settings have the values in force. A draft is rejected for the same reasons as when it is saved.":
    "不会保存。未给出的设置取生效值。草案不被接受的原因与保存时相同。",
  "Levels do not fall by themselves after refunds, and new level settings raise nobody by themselves. A page reads a limited number of members and can be shorter than limit, or empty, while next_cursor is not null.":
    "退款后等级不会自动下降，修改等级设置也不会自动升级。每页读取的会员数有限：next_cursor 不为 null 时，本页条数可能少于 limit，甚至为空。",
  "A grade that members hold can be switched off but not removed.": "有会员持有的等级可以停用，但不能移除。",
  "Every line that fits ships its order with a parcel; the others are rejected with a reason and stop none. An order in several lines gets several parcels; orders of one buyer at one address can share one. Repeating the request changes nothing. If no line fits, it is rejected as a whole.":
    "每个有效行为其订单登记包裹并发货；其余行附原因拒绝，不影响其他行。同一订单的多行各登记一个包裹；同一买家、同一地址的订单可共用一个包裹。重复请求不产生变化。没有有效行时整体拒绝。",
  "UTF-8 with a byte order mark. The titles are in English or Chinese, depending on Accept-Language. Orders that are neither paid nor shipped, or refunded, are left out. The columns of carrier and tracking number are empty: filled in, the file can be imported.":
    "UTF-8，带字节顺序标记。表头按 Accept-Language 为中文或英文。不含未付款或已退款的订单。快递公司与运单号列为空，填写后可导入。",
  "The rows of the CSV file. All cells are text, so that no program rounds an order number.":
    "与 CSV 文件相同的行。所有单元格为文本，避免订单号被舍入。",
  "Says for each line whether it ships its order, and if not, why. Nothing is saved.": "逐行说明能否发货，以及不能的原因。不会保存。",
  "An order that cannot be shipped is rejected with a reason and stops none. Repeating the request changes nothing. If no order can be shipped, it is rejected as a whole.":
    "无法发货的订单附原因拒绝，不影响其他订单。重复请求不产生变化。全部无法发货时整体拒绝。",
  "The first parcel of a paid order marks it as shipped. Repeating the request changes nothing.":
    "已付款订单的第一个包裹将其标记为已发货。重复请求不产生变化。",
  "Until the receipt of its order is confirmed. The action log keeps the earlier values.": "订单确认收货前可更正。操作记录保留原值。",
  "A carrier is switched off by is_active and never deleted, because parcels name it. Links to its parcels follow its tracking address.":
    "快递公司通过 is_active 停用，不会删除，因为包裹引用它。包裹链接跟随其查询地址。",
  "Signals never block anything. `retaken_place`: a place of a cycle that a refund freed and that a larger order holds now. `shared_order`: a paid order that shares the payer or the delivery address with the buyer's referrer. `sign_up_burst`: at least 20 sign-ups in less than an hour under one referrer. `shared_person`: a document that several members gave as their real name. `shared_account`: a payout account that several members have. `reserved_stock`: a product of whose stock unpaid orders hold at least `max_unpaid_share`. A page examines at most 500 places, orders, members, real names, accounts or products, and can be shorter than limit, or empty, while next_cursor is not null.":
    "风险预警不会拦截任何操作。`retaken_place`：退款释放后由更大订单占用的周期位置。`shared_order`：与买家推荐人共用付款人或收货地址的已付款订单。`sign_up_burst`：一小时内同一推荐人名下至少 20 个注册。`shared_person`：多位会员用作实名的同一证件。`shared_account`：多位会员共用的收款账户。`reserved_stock`：未付款订单占用的库存达到 `max_unpaid_share` 的商品。每页至多检查 500 个位置、订单、会员、实名信息或账户，next_cursor 不为 null 时，该页可能少于 limit 或为空。",
  "The test orders belong to test members and are rolled back. Same report as the command hjf:verify-agent-config.":
    "测试订单属于测试会员并会回滚。报告与命令 hjf:verify-agent-config 相同。",
  "Changes nothing. At most 5,000 orders.": "不产生变化。至多 5,000 笔订单。",
  "The id of a job is the id of its order.": "任务的 id 即其订单的 id。",
  "Roles count from the next request. Other roles need a second factor. Owners cannot give up their own role, and the last owner keeps it.":
    "角色从下一个请求起生效。更改角色需要第二重验证。所有者不能放弃自己的角色，最后一位所有者须保留。",
  "The account remains, as that of a member. Owners cannot remove themselves, so one stays.":
    "账号保留为会员账号。所有者不能移除自己，因此至少保留一位。",
  "A second owner confirms it within seven days.": "由第二位所有者在七天内确认。",
  "Ends the sessions of the administrator, who can then set a second factor up anew.": "结束该管理员的会话，之后可重新设置第二重验证。",
  "The roles count as soon as the link of the mail was opened, within seven days; an account that exists already also sets a new password. A repeated invitation replaces the earlier one. Needs a second factor. Idempotency-Key is rejected, because each request sends a mail.":
    "七天内打开邮件链接后角色即生效；已有账号还须设置新密码。重复邀请替换之前的邀请。需要第二重验证。每次请求都会发送邮件，因此不接受 Idempotency-Key。",
  "An account that only the invitation has created is deleted, so that its link leads nowhere.":
    "仅由邀请创建的账号会被删除，其链接随之失效。",
  "The response is the only one that ever has the secret, of which the store keeps a hash. The caller owns the key. Needs a second factor. Idempotency-Key is rejected.":
    "密钥只在此次响应中出现，商城仅保存其哈希值。密钥归创建者所有。需要第二重验证。不接受 Idempotency-Key。",
  "Secret and scopes stay as they are, so nothing that uses the key notices. The roles of the new owner must allow the scopes. A key with the scope money:write is not handed over, because it counts as whoever made it. Needs a second factor.":
    "密钥与权限保持不变，使用方不受影响。新负责人的角色须允许这些权限。具有 money:write 权限的密钥视同创建者本人，不能移交。需要第二重验证。",
  "It works never again, from the next call on.": "从下一次调用起永久失效。",
  "For a monitoring system, which sends the token of STORE_METRICS_TOKEN as a bearer token. Tokens of administrators are rejected: they expire within an hour, and a monitoring system needs none of their rights.":
    "供监控系统使用，以 STORE_METRICS_TOKEN 的令牌作为 bearer token。不接受管理员令牌：其一小时内过期，且监控系统无需管理员权限。",
  "Every administrative write is one action. Filter by target_type and target_id to find the actions on one target.":
    "每次管理写入为一条操作。按 target_type 与 target_id 筛选某一对象的操作。",
  "Reads on from where the last call ended, in an order that never changes. An event whose transaction is not finished is not read, and nothing that is committed later comes before what was read: a reader that follows next_cursor misses nothing and reads nothing twice. Events are kept for 90 days.":
    "从上次调用结束处继续读取，顺序不变。未完成事务的事件不会被读取，之后提交的事件也不会排在已读事件之前：跟随 next_cursor 即不遗漏、不重复。事件保留 90 天。",
  "What happened to a member, to an order or in the store within 90 days.": "90 天内会员、订单或商城发生的事件。",
  "What is left out stays as it is. What has no template reaches members in the inbox and by email only.":
    "未给出的保持不变。没有模板的消息仅以站内通知与邮件送达会员。",
  "The events of the types are posted to the address from now on; section webhooks of this document has their bodies. The response is the only one that has the secret. Needs a second factor. Idempotency-Key is rejected.":
    "此后将所选类型的事件推送到该地址；请求体见本文档的 webhooks 部分。只有本次响应包含密钥。需要第二重验证。不接受 Idempotency-Key。",
  "What waits goes to the address that it has then. Needs a second factor.": "等待推送的事件将发往修改后的地址。需要第二重验证。",
  "Also those that wait. Needs a second factor.": "包括等待推送的记录。需要第二重验证。",
  "While it is off, it gets no events, and a replay sends them later. What had waited before is sent when it is on again. Switching on needs a second factor.":
    "停用期间不接收事件，之后可补发。停用前等待推送的事件在重新启用后推送。启用需要第二重验证。",
  "For some hours, each message has a signature of both secrets. The response is the only one that has the secret. Needs a second factor. Idempotency-Key is rejected.":
    "在若干小时内，每条消息同时带有新旧两个密钥的签名。只有本次响应包含密钥。需要第二重验证。不接受 Idempotency-Key。",
  "Once, also to one that is off. The list of deliveries says what came of it.": "只发送一次，已停用的也可发送。结果见推送记录。",
  "With what is sent, and what the receiver answered last. They are kept for 30 days after they ended.":
    "包含推送内容与接收方最近一次的应答。结束后保留 30 天。",
  "With the same id and body. One that waits is sent at once.": "编号与请求体不变。等待中的立即推送。",
  "At most 10,000, those that were never sent to this webhook, too. The caller says how many there are, as the preview has counted them.":
    "最多 10,000 个，包括从未推送给该 Webhook 的事件。调用方须给出预览所统计的数量。",
};
