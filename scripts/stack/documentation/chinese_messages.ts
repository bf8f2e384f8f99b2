/** The messages to webhooks in Chinese. The titles of events are in functions/_shared/notices/event_types.ts. */
export const CHINESE_MESSAGES: Record<string, string> = {
  "The same for each repetition of a message.": "同一消息重复推送时不变。",
  "When this attempt was signed, in seconds.": "此次推送的签名时间（秒）。",
  "v1, and the HMAC-SHA256 in base64 of id, timestamp and body, joined by dots; one for each valid secret, separated by spaces.":
    "v1，以及对以点号连接的 id、timestamp 与请求体所作的 HMAC-SHA256（base64）；每个有效密钥一项，以空格分隔。",
  "Taken. After any other answer, the message is repeated.": "已接收。返回其他响应时，消息将重复推送。",
  "The subject became a direct member of the member concerned.": "该对象成为所涉会员的直推会员。",
  "The member rose to a higher grade, by meeting its tasks or by hand. One event for each grade that tasks raised them.":
    "会员因完成考核任务或由管理员提升级别。因任务一次提升多个级别时，每级一个事件。",
  "WeChat refuses the nickname of the member, who has the neutral one instead.": "微信未通过会员的昵称，已换为默认昵称。",
  "WeChat refuses a picture that the member uploaded of themselves. Its files are removed.": "微信未通过会员上传的头像，其文件已移除。",
  "The store did what the member had asked of their personal data.": "商城已完成会员的个人信息请求。",
  "The store refused what the member had asked of their personal data.": "商城拒绝了会员的个人信息请求。",
  "The buyer's payment was recorded.": "买家的付款已登记。",
  "The order was marked as shipped.": "订单已标记为已发货。",
  "The shipped order, which has a parcel, got a further one.": "已有包裹的已发货订单追加了包裹。",
  "The receipt was confirmed, by the buyer, an administrator or time.": "已确认收货：由买家、管理员确认或到期自动确认。",
  "The unpaid order expires within ten minutes. Once for each order.": "未付款订单将在十分钟内超时关闭。每笔订单一次。",
  "The unpaid order was cancelled because its time was over.": "未付款订单因超时而取消。",
  "A person cancelled the unpaid order.": "未付款订单由人取消。",
  "The order paid the member concerned commission, and frozen points for it.": "订单为所涉会员带来佣金以及相应的冻结积分。",
  "A refund took back commission that the order had paid.": "退款冲回了订单发放的佣金。",
  "The commission of the order can be withdrawn: it has matured, and no open refund request holds it. Once for each order.":
    "订单的佣金可以提现：已到账，且没有因退款申请暂扣。每笔订单一次。",
  "The buyer asked for a refund of queue goods: until the answer, the commission of the order cannot be withdrawn, even if it has matured.":
    "买家为报单商品申请退款：处理完毕前，订单的佣金即使已到账也暂不可提现。",
  "The request was answered and left commission of the order, which no request holds any more.":
    "申请已处理，订单仍有佣金，且不再因申请暂扣。",
  "The buyer asked for a refund of units of the order.": "买家为订单的商品申请退款。",
  "Units of the order were refunded: a request was granted, or there was none.": "订单的商品已退款：申请已同意，或无申请的退款。",
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
  "Event given up": "已放弃的事件",
  "An event of the subject could not be delivered for three days. This stands in its place.":
    "该对象的某个事件三天未能送达，以此消息代替。",
  "Of the event that was given up.": "已放弃的事件的类型。",
  "The header webhook-id that it had.": "其原请求头 webhook-id。",
  Test: "测试",
  "An administrator tries the address.": "管理员正在测试该地址。",
  "Its id.": "该 Webhook 的 id。",
};
