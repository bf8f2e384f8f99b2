import { z } from "@hono/zod-openapi";
import { id, money, orNull, points, time } from "./schemas.ts";
import { address } from "./addresses.ts";
import { parcel } from "./parcels.ts";
import { firstImage } from "./products.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";
import { bilingual } from "../words/bilingual.ts";

/** States of an order, in their sequence. An unpaid order may be cancelled instead. */
export const orderState = z.enum(VALUE_LISTS["orders.state"]);

/** What people are shown of it, and filter by. */
export const shownOrderState = z.enum([...orderState.options, "refunded"]);

const lineFields = z.strictObject({
  product_id: id,
  title: z.string(),
  price: money,
  quantity: z.int().min(1),
  paid_by_points: money.openapi({
    description: bilingual(
      "What points pay of the line; 0.00 for queue goods.",
      "该行积分抵扣的金额；报单商品为 0.00。",
    ),
  }),
  points: points.openapi({ description: bilingual("The points taken for the line.", "该行扣除的积分。") }),
  paid: money.openapi({
    description: bilingual("After discounts and points, without freight.", "已减优惠与积分抵扣，不含运费。"),
  }),
  is_queue_goods: z.boolean(),
  image: firstImage,
});

const orderLine = lineFields.extend({ id, refunded_quantity: z.int().min(0) }).openapi("OrderLine");

/** Why points cannot pay for an order. */
const pointsReason = z.enum(["off", "only_queue_goods", "no_points", "price_too_low"]);

const pointsOffer = z
  .strictObject({
    available: points.openapi({
      description: bilingual(
        "The member's available points; negative after a refund of spent points.",
        "会员的可用积分；用掉的积分因退款被冲回后为负。",
      ),
    }),
    usable: points.openapi({
      description: bilingual("The most points that can be used for these items.", "这些商品最多可用的积分。"),
    }),
    pays: money.openapi({ description: bilingual("What these points would pay.", "这些积分可抵扣的金额。") }),
    reason: pointsReason.nullable().openapi({
      description: bilingual(
        "Why no points can be used: the store takes none, only queue goods were chosen, there are no points, or the price is too low.",
        "不能使用积分的原因：商城未开启积分抵扣、只选了报单商品、没有积分，或价格过低。",
      ),
    }),
  })
  .openapi("PointsOffer");

/** What an order would cost. */
export const orderPreview = z
  .strictObject({
    total_price: money,
    freight: money,
    paid_by_points: money,
    points_spent: points.openapi({ description: bilingual("The points that would be taken.", "将扣除的积分。") }),
    points: pointsOffer,
    pay_price: money.openapi({
      description: bilingual("The value for `expected_price` of a new order.", "下单时 `expected_price` 的值。"),
    }),
    lines: z.array(lineFields.openapi("PricedLine")),
  })
  .openapi("OrderPreview");

/** The fields of an order, for schemas that extend it. */
export const orderFields = z.strictObject({
  id,
  order_no: z.string(),
  uid: id,
  referrer_uid: id
    .nullable()
    .openapi({ description: bilingual("The buyer's referrer when the order was placed.", "下单时买家的推荐人。") }),
  state: orderState.openapi({
    description: bilingual("How far the order has come, whatever was refunded.", "订单走到哪一步，与退款无关。"),
  }),
  shown_state: shownOrderState.openapi({
    description: bilingual(
      "The state to show: `refunded` once nothing of the order is left, otherwise `state`.",
      "应显示的状态：全部退款后为 `refunded`，否则与 `state` 相同。",
    ),
  }),
  total_price: money,
  discount: money,
  freight: money,
  paid_by_points: money.openapi({
    description: bilingual(
      "What points paid of the price. `pay_price` is what is left to pay in money.",
      "积分抵扣的金额；`pay_price` 为其余须支付的金额。",
    ),
  }),
  points_spent: points.openapi({
    description: bilingual("The points taken when the order was placed.", "下单时扣除的积分。"),
  }),
  points_left: points.openapi({
    description: bilingual(
      "The points that were not returned by refunds or by a cancellation.",
      "未因退款或取消而退回的积分。",
    ),
  }),
  pay_price: money,
  queue_base: money.openapi({
    description: bilingual(
      "The base of the commission: what was paid for queue goods, after discounts, without freight, less refunds.",
      "计佣金额：报单商品的实付金额，已减优惠，不含运费，已减退款。",
    ),
  }),
  queue_units: z.int().min(0),
  refund_status: z.int().min(0).max(3).openapi({ description: "0 none, 1 requested, 2 refunded, 3 partly refunded." }),
  paid_at: time.nullable(),
  delivered_at: time.nullable(),
  received_at: time.nullable(),
  refund_request_until: time.nullable().openapi({
    description: bilingual(
      "Until when the buyer can request a refund. Null before the receipt, from which this time is counted.",
      "买家可以申请退款的截止时间，自收货起计算；收货前为 null。",
    ),
  }),
  cancelled_at: time.nullable(),
  expires_at: time.nullable().openapi({
    description: bilingual(
      "When the unpaid order expires. Null while a payment is open, because only the provider can say that it will not be paid.",
      "未付款订单的超时关闭时间。支付进行中时为 null，因为只有支付机构能确认其不会付款。",
    ),
  }),
  is_expired: z.boolean().openapi({
    description: bilingual(
      "Whether the order was cancelled because it was not paid in time.",
      "是否因未及时付款而取消。",
    ),
  }),
  add_time: time,
  is_imported: z.boolean().openapi({
    description: bilingual(
      "Whether the order was placed in the previous system. It counts like any other and pays nobody.",
      "是否为原系统的订单。同样计入考核，但不产生佣金和积分。",
    ),
  }),
  address: orNull(address).openapi({
    description: bilingual(
      "The postal address of the order, copied when it was placed.",
      "订单的收货地址，下单时复制。",
    ),
  }),
  remark: z.string().openapi({ description: bilingual("What the buyer wrote to the store.", "买家给商城的留言。") }),
  carrier: z.string().nullable().openapi({ description: "That of the first parcel." }),
  tracking_no: z.string().nullable().openapi({ description: "That of the first parcel." }),
  parcels: z.array(parcel).openapi({
    description: bilingual(
      "In the sequence in which they were recorded. An order shipped without carrier and number has none.",
      "按录入顺序。发货时未填快递公司与运单号的订单没有包裹。",
    ),
  }),
  units_to_ship: z
    .int()
    .min(0)
    .openapi({
      description: bilingual(
        "Units that wait for their shipment: what refunds have left of an order that is paid and not shipped; otherwise 0.",
        "待发货件数：已付款未发货的订单扣除退款后剩余的件数，其他订单为 0。",
      ),
    }),
  lines: z.array(orderLine),
});

const orders = z.int().min(0);

/** The member's orders that wait, by what they wait for. */
export const openOrders = z
  .strictObject({
    unpaid: orders.openapi({ description: bilingual("To be paid.", "待付款。") }),
    paid: orders.openapi({ description: bilingual("To be shipped.", "待发货。") }),
    delivered: orders.openapi({ description: bilingual("To be received.", "待收货。") }),
    refund_requested: orders.openapi({
      description: bilingual("With a refund request that the store has not answered.", "有商城尚未处理的退款申请。"),
    }),
  })
  .openapi("OpenOrders");

/** An order as members and administrators see it. */
export const order = orderFields.openapi("Order");
