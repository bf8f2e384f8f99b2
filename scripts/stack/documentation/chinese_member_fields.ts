/** Fields about members: accounts, levels, team and network, requests about personal data, notices, real names. */
export const CHINESE_MEMBER_FIELDS: Record<string, string> = {
  "What share links of the member have beside the uid: ?spread=<uid>&share=<share_code>.":
    "会员的分享链接在 uid 之外的部分：?spread=<uid>&share=<share_code>。",
  "The member's grade. 0 means no level.": "会员的级别；0 表示没有等级。",
  "When it began or was last renewed.": "开始或最近一次续期的时间。",
  "The account is deleted in the night after this time. Until then, its member can keep it.":
    "此时间之后的夜间注销账号；在此之前，会员可保留账号。",
  "What the member gives up with the account at present. What they owe is not in it.": "会员现在注销账号将放弃的权益，不含其欠款。",
  "Money; points for points_owed.": "金额；points_owed 为积分。",
  "When the last refund window ends.": "最后一个退款期限的结束时间。",
  "Why the deletion cannot be asked for now; of one that waits, what is in progress and holds it up.":
    "现在不能申请注销的原因；已申请的，为仍未完成、使注销推迟的事项。",
  "Whether the member must sign in again before they can ask for the deletion.": "会员申请注销前是否须重新登录。",
  "administrator: recorded for a member who wrote or called.": "administrator：会员来信或来电，由管理员登记。",
  "What is asked for. Empty once the account is deleted.": "请求的内容；账号注销后为空。",
  "Until when the store answers (person_request_days).": "商城答复的截止时间（person_request_days）。",
  "lapsed: the member kept the account after all, or it was deleted before another request was answered.":
    "lapsed：会员最终保留了账号，或在其他请求答复前账号已被注销。",
  "What was done so far, or was done, or why it was refused. Empty if the member did it alone.":
    "已处理的情况、处理结果或拒绝原因；由会员自行完成的为空。",
  "What is asked for. A correction needs it.": "请求的内容；更正须填写。",
  "Seconds until the access token expires.": "访问令牌还有多少秒到期。",
  "Whether this sign-in created the account.": "此次登录是否创建了账号。",
  "Whether the member that spread names is the referrer of this member.": "spread 指定的会员是否为该会员的推荐人。",
  "The address of the page without the part behind #. It begins like the share link URL of the store.":
    "网页的地址，不含 # 之后的部分；域名须与商城的分享链接地址一致。",
  "The app that the code comes from. The default is the mini program.": "code 所属的应用，默认为小程序。",
  "The spread of a share link. One that names no member is ignored; see spread_bound.":
    "分享链接中的 spread。不对应任何会员的会被忽略，见 spread_bound。",
  "The spread of the share link.": "分享链接中的 spread。",
  "The share of the share link.": "分享链接中的 share。",
  "What the code on the poster opens: h5 if no mini-program code is available.": "海报上的码打开的页面：无法生成小程序码时为 h5。",
  "The share link: <h5_share_url>?spread=<uid>; that of a product opens its page. A link with &share=<share code> also says who invites.":
    "分享链接：<h5_share_url>?spread=<uid>，商品的分享链接打开该商品。加上 &share=<share code> 的链接还会显示邀请人。",
  "The address of the poster, a public PNG that may be cached. It changes when the poster changes.":
    "海报的地址，为可缓存的公开 PNG；海报变化时地址随之改变。",
  "Grade; 0 is none.": "级别；0 表示没有等级。",
  "Whether the level is held: tasks do not raise the member until an administrator ends the hold.":
    "等级是否锁定：在管理员解除锁定前，完成考核任务也不会升级。",
  "The next active grade; null at the top.": "下一个启用的级别；已是最高级时为 null。",
  "The active grades.": "启用的级别。",
  "Points for the buyer's referrer, per unit of queue goods.": "买家推荐人获得的积分，按每件报单商品计。",
  "Points for ancestors of the referrer, per unit, less the umbrella points of members below.":
    "推荐人的上级获得的每件积分，须减去其下方会员的级差积分。",
  "Targets by type of task. All must be met.": "各类考核任务的目标，须全部达到。",
  "Reported orders: paid orders with queue goods of which something is left, not below the minimum base.":
    "报单：退款后仍有报单商品、不低于最低计佣金额的已付款订单。",
  "Members whom the member referred.": "该会员推荐的会员。",
  "All members below, at any depth.": "伞下全部会员，不限层数。",
  "The time up to which the totals are complete.": "合计数据的截至时间。",
  "Commission of this business day, this month and in all, less what refunds took back in that time.":
    "本营业日、本月与累计的佣金，已减去相应时间内退款冲回的金额。",
  "Reported orders that this member placed.": "该会员本人的报单。",
  "Members below this member, at any depth.": "该会员的伞下会员，不限层数。",
  "The buyer.": "买家。",
  "Whether the member is the buyer's referrer.": "该会员是否为买家的推荐人。",
  "What was paid for queue goods, less refunds.": "报单商品的实付金额，已减去退款。",
  "What the order paid the member, less reversals.": "该订单为会员带来的所得，已扣除冲回。",
  "Whether the order counts for the member's tasks.": "该订单是否计入会员的考核任务。",
  "direct: members whom the member referred. umbrella: all members below, at any depth.":
    "direct：直推会员。umbrella：伞下全部会员，不限层数。",
  "A part of the nickname, or a uid.": "昵称的一部分，或 uid。",
  "A leading - sorts descending. With depth umbrella: joined or -joined.":
    "以 - 开头为降序。depth 为 umbrella 时，只能为 joined 或 -joined。",
  "Only members whom the next order can raise to the next level, at best the first one of a new direct member of theirs.":
    "仅再有一单即可升级的会员：伞下的下一笔订单（最有利时为新直推会员的首单）可使其升级。",
  "What happened (docs/events.md). New types may be added.": "发生的事件（docs/events.md），今后可能增加新的类型。",
  "The keys that docs/events.md lists for the type; the names of a level that was reached; of a release, what the member got.":
    "docs/events.md 为该类型列出的键；升级时另有等级名称，积分释放时为该会员所得。",
  "Whether there may be more than the count, which ends at 100.": "是否可能多于所给数量，最多计到 100。",
  "What the inbox shows.": "站内通知显示的内容。",
  "What also comes by email.": "同时以邮件发送的内容。",
  "What also comes as a message of the mini program, as often as the member has agreed to it.":
    "同时以小程序消息发送的内容，次数以会员的订阅授权为限。",
  "Of mails.": "邮件的语言。",
  "To which mails go. Null: the member has none that takes mails.": "接收邮件的地址。会员没有可接收邮件的地址时为 null。",
  "Whether the store has a mail server. Without one, no mail is sent.": "商城是否配置了邮件服务器；未配置时不发送邮件。",
  "How many messages the member has agreed to and not got yet.": "会员已授权、尚未收到的消息数。",
  "The templates for wx.requestSubscribeMessage.": "wx.requestSubscribeMessage 使用的模板。",
  "Names what this response could show. PUT /api/notice/read marks that as read, and nothing that came later.":
    "标识此响应所能显示的通知。PUT /api/notice/read 将其标为已读，之后的不受影响。",
  "By template.": "按模板。",
  "The members below are those of this time.": "伞下会员按此时间统计。",
  "Members with at least one member below.": "伞下至少有一名会员的会员数。",
  "The greatest depth of members below a member.": "会员的伞下最深层数。",
  "The threshold of members below.": "伞下人数的条件。",
  "The threshold of the depth.": "层数的条件。",
  "Members who reach both thresholds.": "同时达到两项条件的会员数。",
  "At least so many members below.": "伞下人数不少于此值。",
  "With members at this depth below them.": "伞下会员达到此层数。",
  "Members who reach thresholds that are often asked for.": "达到常用条件的会员数。",
  "The highest depth at which commission can be paid. Null: no limit; 0: it pays none.": "佣金最多发放到的层数。null：不限；0：不发放。",
  "The same for points by level.": "同上，适用于按等级发放的积分。",
  "The depth of the settings of the store.": "商城设置的层数。",
  "Whether commission or points can be paid beyond that depth.": "佣金或积分的发放能否超过该层数。",
  "The highest depth at which members of the upline get points by level or can earn the commission. Null means no limit.":
    "上级在此层数以内可按等级获得积分或获得佣金；null 表示不限。",
  "Up to which depth the plan in force pays.": "现行方案最多发放到第几层。",
  "Members who have ever earned a commission.": "获得过佣金的会员数。",
  "Those who have paid for one order only: the one that made them eligible (R4).":
    "其中只付款购买过一笔订单的会员数，即使其符合条件的那一笔（R4）。",
  "Buying is a condition to earn commission (R4).": "购买是获得佣金的条件（R4）。",
  "The deepest payment, to whom, and the latest such order.": "最深的一次发放：发放给谁，以及最近一笔这样的订单。",
  "The deepest commission and the deepest points by level that were ever paid. What was never paid is omitted.":
    "历史上佣金与等级积分发放的最深层数；从未发放的省略。",
  "The beginning of the days that depths sums.": "depths 所合计日期的开始。",
  "Null, the last one: from buyers who are no longer below, after a correction by hand.":
    "最后一项为 null：来自人工更正推荐关系后已不在其伞下的买家。",
  "Frozen points that came with the commission.": "随佣金发放的冻结积分。",
  "What was booked in the last days at each depth, less reversals, nearest first.": "最近若干天各层的入账，已扣除冲回，层数小的在前。",
  "Members below, at any depth.": "伞下会员数，不限层数。",
  "The greatest depth of a member below.": "该会员伞下的最深层数。",
  "The greatest depth of a member below, up to 100.": "该会员伞下的最深层数，最多计到 100。",
  "The share of what orders brought that came from depth 1. Null if they brought nothing.":
    "订单带来的所得中来自第 1 层的占比；没有所得时为 null。",
  "Nearest first.": "层数小的在前。",
  "Their own reported orders.": "该会员本人的报单数。",
  "At least so many members below. By default, that of the settings.": "伞下人数不少于此值，默认取设置中的值。",
  "With members at this depth. By default, that of the settings.": "伞下会员达到此层数，默认取设置中的值。",
  "At most five of each kind. Without the area records, products only.": "每类至多五项；没有权限范围 records 时只有商品。",
  "A uid or the beginning of a nickname (two characters or more); the id, the tracking number or the last four or more characters of the number of an order; the number or id of a withdrawal or a batch; the id of a bill row; a part of the name of a product (two characters or more). Case is ignored.":
    "uid 或昵称开头（至少两个字符）；订单的 id、运单号或订单号末四位及以上；提现或批次的编号或 id；账单记录的 id；商品名称的一部分（至少两个字符）。不区分大小写。",
  "The whole phone number or email address.": "完整的手机号或邮箱地址。",
  "Null if no member has this phone number or email address.": "没有会员使用该手机号或邮箱地址时为 null。",
  "Whether WeChat wants a person to look at the nickname.": "微信是否要求人工复核该昵称。",
  "Whether WeChat wants a person to look at the picture.": "微信是否要求人工复核该头像。",
  "The past instant that was asked for; null: the member as of now.": "所请求的过去时刻；null：会员的当前情况。",
  "The next active grade; null at the top and at a past instant, because task counts have no history.":
    "下一个启用的级别；已是最高级，或查询过去时刻时为 null，因为考核计数没有历史。",
  "Null at a past instant, because team totals have no history.": "查询过去时刻时为 null，因为团队合计没有历史。",
  "The deletion that the member asked for. Until it is done, they neither order nor withdraw.":
    "会员申请的注销。完成之前，会员既不能下单，也不能提现。",
  "Whether the level is held: the member does not rise, even if all tasks are met.": "等级是否锁定：即使完成全部考核任务，会员也不会升级。",
  "Orders that do not count, by reason.": "不计入的订单，按原因统计。",
  "At most 200: first the orders that do not count, then the newest.": "至多 200 笔：先为不计入的订单，再为最新的订单。",
  "The administrator who answered; null if the member did it alone.": "答复的管理员；由会员自行完成时为 null。",
  "The administrator who recorded it; null for one of the app.": "登记的管理员；由会员在应用中提交时为 null。",
  "The business day on which it arrived, if that was not today.": "收到请求的营业日，今天收到的可省略。",
  "What was done, or why it is refused, without names and numbers.": "处理结果或拒绝原因，不含姓名与号码。",
  "1 is the referrer.": "1 为推荐人。",
  "Whether the level was held before the change: tasks did not raise the member.": "变更前等级是否锁定：锁定时完成考核任务也不会升级。",
  "Whether the level is held after the change.": "变更后等级是否锁定。",
  "The order that was settled, or whose refund was answered.": "所结算的订单，或退款申请得到答复的订单。",
  "What let the member rise by tasks; null for another reason.": "使会员因考核任务升级的起因；其他原因时为 null。",
  "order: an order was settled. refund: a request for a refund was answered or taken back. assess: a member below is assessed again. refer: a member with orders joined below. import: an import has ended. hold: the hold of the level has ended.":
    "order：订单已结算。refund：退款申请已答复或已撤回。assess：伞下会员恢复考核。refer：有订单的会员加入伞下。import：数据迁移已结束。hold：等级已解除锁定。",
  "Whether all tasks are met and the store is reviewing the level, as after a change of the level settings.":
    "是否已完成全部考核任务且商城正在复核等级，例如修改等级设置之后。",
  "fall: members who would not reach their level. rise: members who meet the tasks of a higher level and have not risen.":
    "fall：达不到现有等级的会员。rise：已完成更高等级的考核任务但尚未升级的会员。",
  "The administrator who made a change. Null means the store itself.": "进行变更的管理员；null 表示商城自动进行。",
  "The referrer before; null for none.": "原推荐人；null 表示没有。",
  "Orders of the member that wait for their settlement, name a referrer and get the new one.":
    "该会员待结算且已有推荐人、将同时改为新推荐人的订单数。",
  "Whether to hold the level, so that tasks do not raise the member. By default, lowering a member holds the level; otherwise the hold does not change.":
    "是否锁定等级，使其不因完成考核任务而升级。默认情况下，降级时锁定，其他情况不变。",
  "Only members who have left, or only those who have not.": "仅已离开的会员，或仅未离开的会员。",
  "Only direct members of this member.": "仅该会员的直推会员。",
  "Of members who have this level now.": "当前为此等级的会员。",
  "The grade that the member would reach today. Null for a member at the top grade with too many members below to count them here.":
    "会员今天会达到的级别。最高级会员伞下人数过多、无法在此统计时为 null。",
  "The tasks that are not met, of the grades above the reached one up to the member's own.":
    "未达到的考核任务：从应达级别的上一级到会员现有级别。",
  "All levels, by grade, from 0 without gaps.": "全部等级，按级别排列，从 0 起连续。",
  "The version that was edited. The request fails with changed_meanwhile if another version is in force.":
    "所编辑的版本。现行版本已不是该版本时，请求以 changed_meanwhile 失败。",
  "Another one each time that the member gives it.": "会员每次提交都会改变。",
  "none: the member has given no real name, and the rest is null.": "none：会员尚未提交实名信息，其余字段为 null。",
  "Why an administrator refused it. Null if the provider did.": "管理员退回的原因；由服务商退回时为 null。",
  "When it was checked or refused.": "核验通过或退回的时间。",
  "id_card: also a residence permit, which is numbered in the same way.": "id_card：包括编号规则相同的居住证。",
  "The full name, as it is on the document.": "证件上的完整姓名。",
  "Blanks, hyphens and small letters do not matter.": "不区分大小写，空格与连字符不计。",
  "The id of the real name that was looked at.": "所查看的实名信息的 id。",
  "Only for a refusal, which needs it. The member sees it.": "仅退回时填写且必填，会员可以看到。",
  "When the account was deleted or removed: from then on, the member earns nothing, and nobody joins below them. Null: they have not left.":
    "账号注销或被移除的时间：此后该会员不再有任何收益，也没有新会员可挂在其下。null 表示未离开。",
  "Whether the member had left, and so earned nothing.": "该会员当时是否已离开，因而没有收益。",
};
