import { z } from "@hono/zod-openapi";
import { id, money, orNull, points, time } from "./schemas.ts";
import { address } from "./addresses.ts";
import { parcel } from "./parcels.ts";
import { firstImage } from "./products.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";

/** States of an order, in their sequence. An unpaid order may be cancelled instead. */
export const orderState = z.enum(VALUE_LISTS["orders.state"]);

/** What people are shown of it, and filter by. */
export const shownOrderState = z.enum([...orderState.options, "refunded"]);

const lineFields = z.strictObject({
  product_id: id,
  title: z.string(),
  price: money,
  quantity: z.int().min(1),
  paid_by_points: money.openapi({ description: "What points pay of the line; 0.00 for queue goods." }),
  points: points.openapi({ description: "The points taken for the line." }),
  paid: money.openapi({ description: "After discounts and points, without freight." }),
  is_queue_goods: z.boolean(),
  image: firstImage,
});

const orderLine = lineFields.extend({ id, refunded_quantity: z.int().min(0) }).openapi("OrderLine");

/** Why points cannot pay for an order. */
const pointsReason = z.enum(["off", "only_queue_goods", "no_points", "price_too_low"]);

const pointsOffer = z
  .strictObject({
    available: points.openapi({ description: "The member's available points; negative after a refund of spent points." }),
    usable: points.openapi({ description: "The most points that can be used for these items." }),
    pays: money.openapi({ description: "What these points would pay." }),
    reason: pointsReason.nullable().openapi({
      description:
        "Why no points can be used: the store takes none, only queue goods were chosen, there are no points, or the price is too low.",
    }),
  })
  .openapi("PointsOffer");

/** What an order would cost. */
export const orderPreview = z
  .strictObject({
    total_price: money,
    freight: money,
    paid_by_points: money,
    points_spent: points.openapi({ description: "The points that would be taken." }),
    points: pointsOffer,
    pay_price: money.openapi({ description: "The value for `expected_price` of a new order." }),
    lines: z.array(lineFields.openapi("PricedLine")),
  })
  .openapi("OrderPreview");

/** The fields of an order, for schemas that extend it. */
export const orderFields = z.strictObject({
  id,
  order_no: z.string(),
  uid: id,
  referrer_uid: id.nullable().openapi({ description: "The buyer's referrer when the order was placed." }),
  state: orderState.openapi({ description: "How far the order has come, whatever was refunded." }),
  shown_state: shownOrderState.openapi({
    description: "The state to show: `refunded` once nothing of the order is left, otherwise `state`.",
  }),
  total_price: money,
  discount: money,
  freight: money,
  paid_by_points: money.openapi({ description: "What points paid of the price. `pay_price` is what is left to pay in money." }),
  points_spent: points.openapi({ description: "The points taken when the order was placed." }),
  points_left: points.openapi({ description: "The points that were not returned by refunds or by a cancellation." }),
  pay_price: money,
  queue_base: money.openapi({
    description: "The base of the commission: what was paid for queue goods, after discounts, without freight, less refunds.",
  }),
  queue_units: z.int().min(0),
  refund_status: z.int().min(0).max(3).openapi({ description: "0 none, 1 requested, 2 refunded, 3 partly refunded." }),
  paid_at: time.nullable(),
  delivered_at: time.nullable(),
  received_at: time.nullable(),
  refund_request_until: time
    .nullable()
    .openapi({ description: "Until when the buyer can request a refund. Null before the receipt, from which this time is counted." }),
  cancelled_at: time.nullable(),
  expires_at: time.nullable().openapi({
    description: "When the unpaid order expires. Null while a payment is open, because only the provider can say that it will not be paid.",
  }),
  is_expired: z.boolean().openapi({ description: "Whether the order was cancelled because it was not paid in time." }),
  add_time: time,
  is_imported: z
    .boolean()
    .openapi({ description: "Whether the order was placed in the previous system. It counts like any other and pays nobody." }),
  address: orNull(address).openapi({ description: "The postal address of the order, copied when it was placed." }),
  remark: z.string().openapi({ description: "What the buyer wrote to the store." }),
  carrier: z.string().nullable().openapi({ description: "That of the first parcel." }),
  tracking_no: z.string().nullable().openapi({ description: "That of the first parcel." }),
  parcels: z
    .array(parcel)
    .openapi({ description: "In the sequence in which they were recorded. An order shipped without carrier and number has none." }),
  units_to_ship: z.int().min(0).openapi({
    description: "Units that wait for their shipment: what refunds have left of an order that is paid and not shipped; otherwise 0.",
  }),
  lines: z.array(orderLine),
});

/** An order as members and administrators see it. */
export const order = orderFields.openapi("Order");
