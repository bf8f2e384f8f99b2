import type { z } from "@hono/zod-openapi";
import { formatMoney, formatNumber } from "../words/figures.ts";
import type { notice, noticeTopic, noticeType } from "../resources/notices.ts";
import type { Words } from "../words/words.ts";

// What members read of their notices: in the inbox, in mails and in messages of WeChat.

type Type = z.output<typeof noticeType>;
type Language = "en" | "zh";
/** What a text needs of a notice. */
type NoticeFacts = Pick<z.output<typeof notice>, "type" | "subject_id" | "name" | "payload">;

/** A notice in words. */
interface NoticeText {
  title: string;
  text: string;
}

export const topicWords: Words<z.output<typeof noticeTopic>> = {
  orders: { en: "Orders", zh: "订单" },
  refunds: { en: "Refunds and returns", zh: "退款与退货" },
  commission: { en: "Commission", zh: "佣金" },
  withdrawals: { en: "Withdrawals and adjustments", zh: "提现与调账" },
  team: { en: "Team and level", zh: "团队与等级" },
  points: { en: "Release of points", zh: "积分释放" },
};

/** The parts of a sentence. */
function partsOf({ subject_id, name, payload }: NoticeFacts) {
  const money = (value: string | undefined) => formatMoney(value ?? "0.00");
  const hasPoints = (payload.points ?? 0) !== 0;
  return {
    no: name || subject_id,
    ...payload,
    money,
    amount: money(payload.amount),
    points: formatNumber(payload.points ?? 0),
    hasPoints,
    paysBack: hasPoints || (payload.amount ?? "0.00") !== "0.00",
    hasFee: payload.fee !== undefined && payload.fee !== "0.00",
    fee: money(payload.fee),
    hasTax: payload.tax !== undefined && payload.tax !== "0.00",
    tax: money(payload.tax),
    changes: (words: { commission: string; frozen: string; available: string }, separator: string) =>
      [
        payload.brokerage !== undefined &&
          payload.brokerage !== "0.00" &&
          `${words.commission} ${formatMoney(payload.brokerage, "+")}`,
        payload.frozen_points && `${words.frozen} ${formatNumber(payload.frozen_points, "+")}`,
        payload.available_points && `${words.available} ${formatNumber(payload.available_points, "+")}`,
      ]
        .filter(Boolean)
        .join(separator),
  };
}

type Parts = ReturnType<typeof partsOf>;
type Sentence = (parts: Parts) => [title: string, text: string];

const texts: Record<Type, Record<Language, Sentence>> = {
  "order.paid": {
    en: ({ no, money, pay_price }) => ["Payment received", `We have received ${money(pay_price)} for order ${no}.`],
    zh: ({ no, money, pay_price }) => ["付款成功", `订单 ${no} 已收到付款 ${money(pay_price)}。`],
  },
  "order.shipped": {
    en: ({ no }) => ["Order shipped", `Order ${no} is on its way.`],
    zh: ({ no }) => ["订单已发货", `订单 ${no} 已发货，请留意查收。`],
  },
  "order.parcel_added": {
    en: ({ no }) => ["Further parcel", `A further parcel of order ${no} is on its way.`],
    zh: ({ no }) => ["追加包裹已发出", `订单 ${no} 的另一个包裹已发出。`],
  },
  "order.received": {
    en: ({ no }) => ["Order received", `The receipt of order ${no} was confirmed.`],
    zh: ({ no }) => ["订单已收货", `订单 ${no} 已确认收货。`],
  },
  "order.expiring": {
    en: ({ no }) => ["Payment is due", `Order ${no} will be cancelled within ten minutes unless it is paid.`],
    zh: ({ no }) => ["订单即将超时", `订单 ${no} 将在十分钟内超时关闭，请尽快付款。`],
  },
  "order.expired": {
    en: ({ no }) => ["Order expired", `Order ${no} was cancelled because it was not paid in time.`],
    zh: ({ no }) => ["订单超时关闭", `订单 ${no} 因未及时付款已关闭。`],
  },
  "order.cancelled": {
    en: ({ no }) => ["Order cancelled", `Order ${no} was cancelled by the store.`],
    zh: ({ no }) => ["订单已取消", `商城取消了订单 ${no}。`],
  },
  "refund.requested": {
    en: ({ no, amount }) => ["Refund requested", `A refund of ${amount} was requested for order ${no}.`],
    zh: ({ no, amount }) => ["已申请退款", `订单 ${no} 已申请退款 ${amount}。`],
  },
  "refund.refunded": {
    en: ({ no, amount, points, hasPoints }) => [
      "Refund completed",
      `The refund of ${amount}${hasPoints ? ` and ${points} points` : ""} for order ${no} is completed.`,
    ],
    zh: ({ no, amount, points, hasPoints }) => [
      "退款完成",
      `订单 ${no} 已退款 ${amount}${hasPoints ? `，退回积分 ${points}` : ""}。`,
    ],
  },
  "refund.partly_refunded": {
    en: ({ no, amount, points, hasPoints, paysBack }) => [
      paysBack ? "Refund granted in part" : "Refund request closed",
      paysBack
        ? `A part of what you asked for was granted: ${amount}${hasPoints ? ` and ${points} points` : ""} of order ${no} are refunded.`
        : `What you asked for of order ${no} was refunded otherwise, so your request is closed.`,
    ],
    zh: ({ no, amount, points, hasPoints, paysBack }) => [
      paysBack ? "部分退款" : "退款申请已结束",
      paysBack
        ? `订单 ${no} 的退款申请部分通过，已退款 ${amount}${hasPoints ? `，退回积分 ${points}` : ""}。`
        : `订单 ${no} 申请退款的商品已另行退款，该申请已结束。`,
    ],
  },
  "refund.refused": {
    en: ({ no, has_reason }) => [
      "Refund request not accepted",
      `The refund request for order ${no} was not accepted.${has_reason ? " The order says why." : ""}`,
    ],
    zh: ({ no, has_reason }) => [
      "退款申请未通过",
      `订单 ${no} 的退款申请未通过。${has_reason ? "原因见订单详情。" : ""}`,
    ],
  },
  "refund.taken_back": {
    en: ({ no }) => ["Refund request taken back", `You have taken back the refund request for order ${no}.`],
    zh: ({ no }) => ["退款申请已撤回", `你已撤回订单 ${no} 的退款申请。`],
  },
  "refund.return_requested": {
    en: ({ no }) => [
      "Please send the goods back",
      `Send the goods of order ${no} back and enter the tracking number of your parcel.`,
    ],
    zh: ({ no }) => ["请寄回商品", `请寄回订单 ${no} 的商品，并填写快递单号。`],
  },
  "refund.return_sent": {
    en: ({ no }) => ["Goods sent back", `The return parcel of order ${no} was entered.`],
    zh: ({ no }) => ["商品已寄回", `订单 ${no} 的退货快递单号已填写。`],
  },
  "refund.return_received": {
    en: ({ no }) => ["Returned goods received", `The goods of order ${no} have arrived at the store.`],
    zh: ({ no }) => ["已收到退货", `商城已收到订单 ${no} 的退货。`],
  },
  "commission.earned": {
    en: ({ no, buyer, amount, points, hasPoints }) => [
      "Commission earned",
      `${buyer ? `An order of ${buyer}` : `Order ${no}`} brought you ${amount}${hasPoints ? ` and ${points} frozen points` : ""}.`,
    ],
    zh: ({ no, buyer, amount, points, hasPoints }) => [
      "获得佣金",
      `${buyer ? `${buyer} 的订单` : `订单 ${no} `}为你带来佣金 ${amount}${hasPoints ? `、冻结积分 ${points}` : ""}。`,
    ],
  },
  "commission.reversed": {
    en: ({ no, amount }) => ["Commission reversed", `A refund of order ${no} took back ${amount}.`],
    zh: ({ no, amount }) => ["佣金冲回", `订单 ${no} 发生退款，冲回佣金 ${amount}。`],
  },
  "commission.matured": {
    en: ({ no, amount }) => ["Commission matured", `${amount} of order ${no} can be withdrawn.`],
    zh: ({ no, amount }) => ["佣金已到账", `订单 ${no} 的佣金 ${amount} 已到账，可以提现。`],
  },
  "commission.held": {
    en: ({ no, amount }) => [
      "Commission held",
      `The buyer asks for a refund of order ${no}. Until the store has answered, your ${amount} cannot be withdrawn, even once it has matured.`,
    ],
    zh: ({ no, amount }) => [
      "佣金暂不可提现",
      `订单 ${no} 的买家申请退款。商城处理前，佣金 ${amount} 即使到账也不能提现。`,
    ],
  },
  "commission.released": {
    en: ({ no, amount }) => [
      "Commission no longer held",
      `The refund request for order ${no} is closed. It no longer holds your ${amount}, which can be withdrawn once it has matured.`,
    ],
    zh: ({ no, amount }) => ["佣金解除暂扣", `订单 ${no} 的退款申请已结束，佣金 ${amount} 不再暂扣，到账后即可提现。`],
  },
  "withdrawal.requested": {
    en: ({ amount }) => ["Withdrawal requested", `A withdrawal of ${amount} was requested.`],
    zh: ({ amount }) => ["已申请提现", `已申请提现 ${amount}。`],
  },
  "withdrawal.approved": {
    en: ({ amount }) => ["Withdrawal approved", `Your withdrawal of ${amount} was approved and will be paid.`],
    zh: ({ amount }) => ["提现已批准", `提现 ${amount} 已批准，等待付款。`],
  },
  "withdrawal.paid": {
    en: ({ amount, fee, hasFee, tax, hasTax }) => [
      "Withdrawal paid",
      `Your withdrawal of ${amount} was paid${hasFee ? `, less a fee of ${fee}` : ""}${hasTax ? `, less tax of ${tax}` : ""}.`,
    ],
    zh: ({ amount, fee, hasFee, tax, hasTax }) => [
      "提现已付款",
      `提现 ${amount} 已付款${hasFee ? `，手续费 ${fee}` : ""}${hasTax ? `，代扣个税 ${tax}` : ""}。`,
    ],
  },
  "withdrawal.failed": {
    en: ({ amount }) => ["Withdrawal failed", `The payment of ${amount} failed. The amount is back in your balance.`],
    zh: ({ amount }) => ["提现失败", `提现 ${amount} 付款失败，金额已退回余额。`],
  },
  "withdrawal.refused": {
    en: ({ amount }) => [
      "Withdrawal refused",
      `The store refused your withdrawal of ${amount}. The amount is back in your balance.`,
    ],
    zh: ({ amount }) => ["提现被拒绝", `商城拒绝了提现 ${amount}，金额已退回余额。`],
  },
  "adjustment.booked": {
    en: ({ changes }) => [
      "Balances adjusted",
      `The store adjusted your balances: ${changes({ commission: "commission", frozen: "frozen points", available: "available points" }, ", ")}.`,
    ],
    zh: ({ changes }) => [
      "调账已入账",
      `商城为你的余额调账：${changes({ commission: "佣金", frozen: "冻结积分", available: "可用积分" }, "，")}。`,
    ],
  },
  "name.checked": {
    en: ({ no }) => ["Real name checked", `The real name of your account ${no} is right. You can withdraw.`],
    zh: ({ no }) => ["实名认证通过", `你的账号 ${no} 已通过实名认证，可以申请提现。`],
  },
  "name.refused": {
    en: ({ no }) => [
      "Real name refused",
      `The real name of your account ${no} was refused. Give it again, as your document has it.`,
    ],
    zh: ({ no }) => ["实名认证未通过", `你的账号 ${no} 的实名信息未通过核验，请按证件内容重新提交。`],
  },
  "member.referred": {
    en: ({ no }) => ["New direct member", `${no} joined through you.`],
    zh: ({ no }) => ["新增直推会员", `${no} 成为你的直推会员。`],
  },
  "level.reached": {
    en: ({ level }) => ["Level reached", `You have reached the level ${level}.`],
    zh: ({ level_zh }) => ["等级提升", `你已升级为${level_zh}。`],
  },
  "profile.nickname_replaced": {
    en: ({ no }) => [
      "Nickname replaced",
      `WeChat does not allow the nickname of your account ${no}. Choose another one.`,
    ],
    zh: ({ no }) => ["昵称已替换", `你的账号 ${no} 的昵称未通过微信的内容检查，请重新填写。`],
  },
  "profile.avatar_removed": {
    en: ({ no }) => ["Picture removed", `WeChat does not allow the picture of your account ${no}. Choose another one.`],
    zh: ({ no }) => ["头像已移除", `你的账号 ${no} 的头像未通过微信的内容检查，请重新上传。`],
  },
  "person.request_done": {
    en: ({ no }) => [
      "Request done",
      `The store has done what you asked about the personal data of your account ${no}.`,
    ],
    zh: ({ no }) => ["个人信息请求已处理", `商城已处理你的账号 ${no} 的个人信息请求。`],
  },
  "person.request_refused": {
    en: ({ no }) => [
      "Request refused",
      `The store refused what you asked about the personal data of your account ${no}, and says why.`,
    ],
    zh: ({ no }) => ["个人信息请求被拒绝", `商城拒绝了你的账号 ${no} 的个人信息请求，并说明了原因。`],
  },
  "points.released": {
    en: ({ points, release_date }) => [
      "Points released this week",
      `${points} frozen points have become available in the week to ${release_date}.`,
    ],
    zh: ({ points, release_date }) => [
      "本周积分释放",
      `截至 ${release_date} 的一周，共 ${points} 冻结积分释放为可用积分。`,
    ],
  },
};

/** All types, in the order of their topics. */
export const noticeTypes = Object.keys(texts) as Type[];

/** A notice in the words of a language. */
export function noticeText(notice: NoticeFacts, language: Language): NoticeText {
  const [title, text] = texts[notice.type][language](partsOf(notice));
  return { title, text };
}

/**
 * The page of the H5 app that a notice is about. Orders that paid commission belong to others, so their notices lead to
 * the bill.
 */
export function noticePlace({ type, subject_id }: Pick<NoticeFacts, "type" | "subject_id">): string {
  const kind = type.split(".")[0] as
    | "order"
    | "refund"
    | "commission"
    | "withdrawal"
    | "adjustment"
    | "name"
    | "member"
    | "level"
    | "profile"
    | "person"
    | "points";
  return {
    order: `/orders/${subject_id}`,
    refund: `/orders/${subject_id}`,
    commission: "/bill",
    withdrawal: `/withdrawals/${subject_id}`,
    adjustment: "/bill",
    name: "/real-name",
    member: "/team/people",
    level: "/levels",
    profile: "/me/profile",
    person: "/me/requests",
    points: "/points",
  }[kind];
}
