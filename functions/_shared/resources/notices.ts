import { z } from "@hono/zod-openapi";
import { day, id, money, points, time } from "./schemas.ts";
import { personRequestKind } from "./person_requests.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";
import { bilingual } from "../words/bilingual.ts";

/** What members choose notices by (app.notice_topics). */
export const noticeTopic = z.enum(["orders", "refunds", "commission", "withdrawals", "team", "points"]);

/** The types of events that are notices for a member (app.notice_types). */
export const noticeType = z.enum([
  "order.paid",
  "order.shipped",
  "order.parcel_added",
  "order.received",
  "order.expiring",
  "order.expired",
  "order.cancelled",
  "refund.requested",
  "refund.refunded",
  "refund.partly_refunded",
  "refund.refused",
  "refund.taken_back",
  "refund.return_requested",
  "refund.return_sent",
  "refund.return_received",
  "commission.earned",
  "commission.reversed",
  "commission.matured",
  "commission.held",
  "commission.released",
  "withdrawal.requested",
  "withdrawal.approved",
  "withdrawal.paid",
  "withdrawal.failed",
  "withdrawal.refused",
  "adjustment.booked",
  "name.checked",
  "name.refused",
  "member.referred",
  "level.reached",
  "profile.nickname_replaced",
  "profile.avatar_removed",
  "person.request_done",
  "person.request_refused",
  "points.released",
]);

const payload = z
  .strictObject({
    pay_price: money,
    parcel_id: id,
    expires_at: time,
    amount: money,
    points,
    cycle_no: z.int(),
    place: z.int(),
    refund_id: id,
    has_reason: z.boolean(),
    request_id: id,
    kind: personRequestKind,
    fee: money,
    tax: money,
    method: z.string(),
    brokerage: money,
    frozen_points: points,
    available_points: points,
    from_level: z.int(),
    to_level: z.int(),
    level: z.string(),
    level_zh: z.string(),
    release_date: day,
    buyer: z.string(),
  })
  .partial();

/** A notice: an event as its member sees it. */
export const notice = z
  .strictObject({
    id: z.string().openapi({ example: "1_7305_120" }),
    type: noticeType.openapi({
      description: bilingual(
        "What happened (docs/events.md). New types may be added.",
        "发生的事件（docs/events.md），今后可能增加新的类型。",
      ),
    }),
    topic: noticeTopic,
    subject: z.enum(VALUE_LISTS["event_types.subject"]),
    subject_id: z.int().openapi({
      description: "uid of a member, id of an order, withdrawal or adjustment, day of a release as YYYYMMDD.",
      example: 10001,
    }),
    name: z
      .string()
      .nullable()
      .openapi({
        description: bilingual(
          "What people call the subject: the number of an order, the nickname of a new direct member. Otherwise null.",
          "主体的名称：订单号，或新增直推会员的昵称；其他为 null。",
        ),
      }),
    payload: payload.openapi({
      description: bilingual(
        "The keys that docs/events.md lists for the type; the names of a level that was reached; the nickname of the buyer whose order earned commission; of releases, their last day and what the member got in the week that it ends.",
        "docs/events.md 为该类型列出的键；升级时另有等级名称；获得佣金时另有买家昵称；积分释放时为一周的最后一天及该会员一周所得。",
      ),
    }),
    add_time: time,
    is_read: z.boolean(),
  })
  .openapi("Notice");

export const unread = {
  unread: z.int().min(0).max(100),
  is_more: z.boolean().openapi({
    description: bilingual(
      "Whether there may be more than the count, which ends at 100.",
      "是否可能多于所给数量，最多计到 100。",
    ),
  }),
};

/** The templates of WeChat that ask a member for consent, and what the member has agreed to. */
export const consent = z.strictObject({
  type: noticeType,
  topic: noticeTopic,
  template_id: z.string(),
  consents: z
    .int()
    .min(0)
    .max(100)
    .openapi({
      description: bilingual(
        "How many messages the member has agreed to and not got yet.",
        "会员已授权、尚未收到的消息数。",
      ),
    }),
});
