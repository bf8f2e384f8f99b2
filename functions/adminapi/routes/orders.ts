import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { order, orderFields, shownOrderState } from "../../_shared/resources/orders.ts";
import { parcelFields } from "../../_shared/resources/parcels.ts";
import { attemptFields, providerRefund } from "../../_shared/resources/payments.ts";
import { providerRefundState, refund, returnState } from "../../_shared/resources/refunds.ts";
import { waitingFilter } from "../../_shared/resources/waiting.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  cursorPaging,
  flagText,
  id,
  idPath,
  idText,
  integerText,
  logOf,
  money,
  period,
  sortBy,
  text,
  time,
  timestamp,
  visibleParagraphs,
  visibleText,
} from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const adminOrderFields = orderFields.extend({
  nickname: z.string().openapi({ description: bilingual("The buyer's nickname.", "买家的昵称。") }),
  referrer_nickname: z
    .string()
    .nullable()
    .openapi({
      description: bilingual(
        "The nickname of the buyer's referrer when the order was placed.",
        "下单时买家推荐人的昵称。",
      ),
    }),
});

export const adminOrder = adminOrderFields.openapi("AdminOrder");

const amountLeft = money.openapi({
  description: bilingual(
    "What is left of `pay_price` after all refunds of the order.",
    "`pay_price` 扣除该订单全部退款后的剩余金额。",
  ),
});

const listedOrder = adminOrderFields
  .extend({
    refunded: money.openapi({
      description: bilingual(
        "What was refunded of the order, with freight: between refunded_from and refunded_to, if they are given.",
        "订单的退款金额，含运费；给出 refunded_from 与 refunded_to 时为其间的退款。",
      ),
    }),
    amount_left: amountLeft,
    return_state: returnState.nullable().openapi({
      description: bilingual(
        "How far the goods of the open refund request have returned. Null if the store has not asked for them.",
        "待处理退款申请的退货进度；商城未要求寄回时为 null。",
      ),
    }),
  })
  .openapi("AdminListedOrder");

const paymentAttempt = attemptFields
  .extend({
    id,
    pay_ref: z.string().nullable(),
    reason: z
      .string()
      .nullable()
      .openapi({ description: bilingual("Why the provider refused to start it.", "支付机构未受理的原因。") }),
    started_at: time.nullable().openapi({
      description: bilingual(
        "When the provider responded. Null if no response was recorded.",
        "支付机构响应的时间；没有响应记录时为 null。",
      ),
    }),
  })
  .openapi("AdminPaymentAttempt");

const unclaimedPayment = z
  .strictObject({
    notification_id: id.openapi({
      description: bilingual(
        "The first notification of the payment. Its refund starts with PUT /adminapi/payment/notification/{id}/refund.",
        "该笔付款的首个通知。以 PUT /adminapi/payment/notification/{id}/refund 发起退款。",
      ),
    }),
    provider: z.string(),
    payment_no: z.string(),
    pay_ref: z.string(),
    amount: money,
    reason: z.string(),
    add_time: time,
    refund_state: providerRefundState.nullable(),
  })
  .openapi("UnclaimedPayment");

const orderStep = z
  .strictObject({
    step: z.enum([
      "placed",
      "paid",
      "settled",
      "shipped",
      "received",
      "expired",
      "cancelled",
      "asked",
      "refused",
      "taken_back",
      "refunded",
      "partly_refunded",
    ]),
    at: time,
    by: z
      .enum(["buyer", "store", "administrator"])
      .nullable()
      .openapi({ description: bilingual("Null if it is not recorded.", "没有记录时为 null。") }),
    actor,
    amount: money
      .nullable()
      .openapi({ description: bilingual("What was to pay, or paid back.", "应付金额或退款金额。") }),
  })
  .openapi("OrderStep");

const orderPage = adminOrderFields
  .extend({
    pay_type: z.string().nullable(),
    pay_ref: z
      .string()
      .nullable()
      .openapi({ description: bilingual("The reference of the payment.", "付款凭证号。") }),
    plan_version: z
      .int()
      .nullable()
      .openapi({
        description: bilingual("The commission plan in force when the order was paid.", "订单付款时的佣金方案版本。"),
      }),
    refunds: z.array(refund).openapi({
      description: bilingual("Newest first, including the open request.", "最新的在前，包括待处理的申请。"),
    }),
    refunded: money.openapi({
      description: bilingual("What was refunded of the order, with freight.", "订单的退款金额，含运费。"),
    }),
    amount_left: amountLeft,
    freight_left: money.openapi({
      description: bilingual("What is left of the freight after refunds.", "退款后剩余的可退运费。"),
    }),
    payment_attempts: z.array(paymentAttempt).openapi({
      description: bilingual(
        "Payments that the store started at a provider, newest first.",
        "商城在支付机构发起的支付，最新的在前。",
      ),
    }),
    provider_refunds: z.array(providerRefund).openapi({
      description: bilingual(
        "Refunds that were requested from a provider, newest first.",
        "向支付机构申请的退款，最新的在前。",
      ),
    }),
    unclaimed_payments: z.array(unclaimedPayment).openapi({
      description: bilingual(
        "Payments for the order that could not be applied to it, newest first.",
        "未能计入该订单的款项，最新的在前。",
      ),
    }),
    waiting_payment: z
      .strictObject({ marked_by: actor, pay_ref: z.string(), add_time: time })
      .nullable()
      .openapi({
        description: bilingual(
          "The offline payment that one administrator has recorded above the limit of a day, and that a second one must confirm by recording it, too.",
          "超过单日限额、由一位管理员登记的线下付款，须由第二位管理员同样登记以确认。",
        ),
      }),
    refused_payment: z
      .strictObject({ marked_by: actor, pay_ref: z.string(), refused_by: actor, refused_at: time, reason: z.string() })
      .nullable()
      .openapi({
        description: bilingual(
          "The last such payment, if it was refused. It can be recorded anew.",
          "最近一次被拒绝的此类付款，可重新登记。",
        ),
      }),
    parcels: z.array(parcelFields.extend({ shipped_by: actor }).openapi("AdminParcel")),
    timeline: z.array(orderStep).openapi({
      description: bilingual("What happened to the order, oldest first.", "订单的经过，最早的在前。"),
    }),
  })
  .openapi("OrderPage");

export const orderRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/order",
    auth: "admin",
    tag: "Orders",
    summary: bilingual("Orders of all members", "全部会员的订单"),
    request: {
      query: cursorPaging.extend({
        uid: idText.optional(),
        product_id: idText.optional().openapi({
          description: bilingual("With units of this product, also refunded ones.", "含该商品的订单，包括已退款的。"),
        }),
        is_queue_goods: flagText.optional().openapi({
          description: bilingual(
            "With units that are queue goods, or not; of the product, if one is given.",
            "是否含报单商品；指定商品时，为下单时该商品的标记。",
          ),
        }),
        state: shownOrderState.optional().openapi({ description: "By `shown_state`." }),
        refund_status: integerText(0, 3).optional(),
        order_no: text(1, 64).optional().openapi({ example: "20261001000001" }),
        search: text(1, 64)
          .optional()
          .openapi({
            example: "Chen",
            description: bilingual(
              "The id of an order, the last four or more characters of its number, the tracking number of a parcel, or the beginning of the buyer's nickname.",
              "订单的 id、订单号末四位及以上、包裹的运单号，或买家昵称的开头。",
            ),
          }),
        waiting: waitingFilter("shipment", "refund", "payment"),
        ...period,
        paid_from: timestamp.optional().openapi({ description: "Paid at or after this time." }),
        paid_to: timestamp.optional().openapi({ description: "Paid before this time." }),
        refunded_from: timestamp
          .optional()
          .openapi({ description: bilingual("With a refund at or after this time.", "有不早于此时间的退款。") }),
        refunded_to: timestamp
          .optional()
          .openapi({ description: bilingual("With a refund before this time.", "有早于此时间的退款。") }),
        sort: sortBy("admin_get_orders", " Orders that are not paid have no paid_at and are left out by it."),
      }),
    },
    response: logOf(listedOrder),
    calls: "admin_get_orders",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/order/{id}",
    auth: "admin",
    tag: "Orders",
    summary: bilingual("One order with its payment and its refunds", "一笔订单及其付款与退款"),
    request: { path: idPath },
    response: orderPage,
    errors: ["order_not_found"],
    calls: "admin_get_order",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/order/{id}/pay",
    auth: "admin",
    tag: "Orders",
    summary: bilingual("Record an offline payment", "登记线下付款"),
    description: bilingual(
      "The order is settled in the background. Repeating the request with the same reference changes nothing. Above the limit of a day, the order stays unpaid until a second administrator with the role owner or finance records the payment, too; without a reference, with that of the first.",
      "订单在后台结算。以相同付款凭证号重复请求不产生变化。超出每日限额时，须由第二位具有所有者或财务角色的管理员同样登记后，订单才为已付款；未给凭证号时沿用第一位的。",
    ),
    request: { path: idPath, body: z.strictObject({ pay_ref: text(1, 128).optional() }).optional() },
    response: order,
    errors: [
      "own_account",
      "order_not_found",
      "order_state_conflict",
      "order_already_paid",
      "payment_reference_used",
      "second_administrator_needed",
    ],
    calls: "pay_order_offline",
    args: ({ path, body }) => ({ p_order_id: path.id, p_pay_ref: body?.pay_ref }),
    afterwards: ({ settle, work }) => {
      settle();
      work();
    },
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/order/{id}/pay/refuse",
    auth: "admin",
    tag: "Orders",
    summary: bilingual(
      "Refuse an offline payment that waits for a second administrator",
      "拒绝等待第二位管理员审核的线下付款",
    ),
    description: bilingual(
      "The order stays unpaid. Repeating the request changes nothing; the payment can be recorded anew. Whoever recorded it can take it back by this, too.",
      "订单保持未付款。重复请求不产生变化；可重新登记付款。登记人也可由此撤回。",
    ),
    request: { path: idPath, body: z.strictObject({ reason: visibleParagraphs(500) }) },
    response: order,
    errors: ["own_account", "order_not_found", "order_state_conflict"],
    calls: "refuse_payment",
    args: ({ path, body }) => ({ p_order_id: path.id, p_reason: body.reason }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/order/{id}/deliver",
    auth: "admin",
    tag: "Orders",
    summary: bilingual("Record that an order was shipped", "登记发货"),
    description: bilingual(
      "With its first parcel, if carrier or tracking number are given. A repeated request with others corrects them, until the receipt is confirmed. An order whose receipt was confirmed first gets its parcel, too, and stays received. POST /adminapi/order/{id}/parcel adds further parcels.",
      "给出快递公司或运单号时，同时登记第一个包裹。确认收货前，以其他值重复请求即为更正。先确认收货、后登记发货的订单同样记录包裹，状态仍为已收货。POST /adminapi/order/{id}/parcel 新增更多包裹。",
    ),
    request: {
      path: idPath,
      body: z.strictObject({ carrier: visibleText(64).optional(), tracking_no: visibleText(64).optional() }).optional(),
    },
    response: order,
    errors: ["own_account", "order_not_found", "order_state_conflict"],
    calls: "deliver_order",
    args: ({ path, body }) => ({ p_order_id: path.id, p_carrier: body?.carrier, p_tracking_no: body?.tracking_no }),
    afterwards: ({ work }) => work(),
  }),
] as const;
