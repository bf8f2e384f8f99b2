import { z } from "@hono/zod-openapi";
import { id, money, moneyText, orNull, points, time, webAddress } from "./schemas.ts";
import { address } from "./addresses.ts";
import { parcelFields } from "./parcels.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";

const refundLine = z.strictObject({ line_id: id, quantity: z.int().min(1).max(9999) }).openapi("RefundLine");

const refundedLine = z
  .strictObject({
    line_id: id,
    title: z.string().openapi({ description: "What the product was called when the order was placed." }),
    quantity: z
      .int()
      .min(0)
      .max(9999)
      .openapi({ description: "The units that are refunded, or asked for while the request is open, refused or taken back." }),
    asked: z.int().min(1).max(9999).nullable().openapi({ description: "The units that the buyer asked for. Null: none." }),
    concession: money.openapi({ description: "What was paid back while the goods were kept." }),
  })
  .openapi("RefundedLine");

/** The units to refund. */
export const refundLines = z.array(refundLine).min(1).max(50).openapi({
  description:
    "The units to refund. The default is the units of the open request, unless answers_request is false, or else all units that are left.",
});

const refundItem = z
  .strictObject({
    line_id: id,
    quantity: z.int().min(1).max(9999).optional().openapi({ description: "The units to refund." }),
    amount: moneyText.optional().openapi({ description: "Instead of units: what to pay back while the goods are kept." }),
  })
  .openapi("RefundItem");

/** What a refund of an administrator names. */
export const refundRequest = {
  lines: z.array(refundItem).max(50).optional().openapi({
    description:
      "Of each line either units or an amount. The default is the units of the open request, or else all units that are left. Empty: freight alone.",
  }),
  amount: moneyText.optional().openapi({
    description:
      "Instead of lines: an amount for the goods as a whole, spread over what is left of them. Freight is refunded only if it is named, too.",
  }),
  freight: moneyText.optional().openapi({
    description:
      "The freight to pay back as well. The default is what is left of it if no unit is left of an order that was not shipped, otherwise 0.00.",
  }),
};

/** What a refund pays back to the buyer, without writing it. */
export const paidBack = {
  amount: money.openapi({ description: "What the buyer would get back, with freight." }),
  freight: money.openapi({ description: "The part of it that is freight." }),
  freight_left: money.openapi({ description: "What is left of the freight before the refund." }),
  points: points.openapi({ description: "The points that would return to the buyer." }),
  lines: z
    .array(
      z.strictObject({
        line_id: id,
        units: z.int().min(0).openapi({ description: "The units that would be refunded." }),
        amount: money.openapi({ description: "What would be paid back of the line." }),
        left: money.openapi({ description: "What is left of what was paid for the line, before the refund." }),
      }),
    )
    .openapi({ description: "All lines of the order." }),
};

/** States of a refund at a payment provider. */
export const providerRefundState = z.enum(VALUE_LISTS["provider_refunds.state"]);

/** How far the goods of a request have returned. */
export const returnState = z.enum(["asked", "sent", "received"]);

/** The return of the goods of a refund request. */
const goodsReturn = parcelFields
  .omit({ id: true, shipped_at: true })
  .extend({
    state: returnState,
    address: address.openapi({ description: "Where the buyer sends the goods." }),
    asked_at: time,
    sent_at: time.nullable().openapi({ description: "When the buyer entered the parcel for the first time." }),
    received_at: time.nullable(),
  })
  .openapi("GoodsReturn");

/** What WeChat says of a picture. */
const contentCheck = z.enum(VALUE_LISTS["pictures.content_check"]).nullable().openapi({
  description:
    "What WeChat says of the picture: a person should look at it, or it is refused. Null: nothing, or an administrator has dismissed the doubt.",
});

const link = webAddress(2000).openapi({ description: "Valid for five minutes, for whoever has it." });

/** A picture of a refund request, which has no public address. */
export const refundPicture = z
  .strictObject({
    id: z.uuid(),
    refund_id: id,
    url: link,
    small_url: link,
    width: z.int().min(1).max(2048).openapi({ description: "Of the large file." }),
    height: z.int().min(1).max(2048),
    content_check: contentCheck,
  })
  .openapi("RefundPicture");

/** States of a refund. */
export const refundState = z.enum(VALUE_LISTS["refunds.state"]);

/** Whether a refund answers the open request. */
export const answersRequest = z.boolean().openapi({
  description:
    "Whether the refund answers the open request. The default is true if it has a line that the request has. Otherwise the request stays open.",
});

/** A refund: a request and its answer, or what was refunded without a request. */
export const refund = z
  .strictObject({
    id,
    order_id: id,
    state: refundState.openapi({
      description:
        "`refunded`: granted, or refunded without a request. `partly_refunded`: granted in part; with an amount of 0.00, other refunds had paid back what was asked for. `taken_back`: by the buyer.",
    }),
    reason: z.string(),
    reason_check: z.enum(VALUE_LISTS["refunds.reason_check"]).nullable().openapi({
      description:
        "What WeChat says of the reason: a person should look at it, or it is refused. Null: nothing, or an administrator has dismissed the doubt.",
    }),
    refusal_reason: z
      .string()
      .openapi({ description: "Why the store has refused the request. Empty: it has not refused it, or has not said why." }),
    pictures: z.array(z.strictObject({ id: z.uuid(), content_check: contentCheck })).openapi({
      description: "The pictures that the buyer has added. Links to them are at `…/order/{id}/refund/picture`.",
    }),
    amount: money.openapi({
      description:
        "What is paid back, with freight and without what points paid. For an open request, what granting it would pay back now.",
    }),
    freight: money.openapi({ description: "The part of the amount that is freight." }),
    points: points.openapi({ description: "The points that these units return to the buyer." }),
    created_at: time,
    decided_at: time.nullable(),
    is_imported: z.boolean().openapi({ description: "Whether the order was imported: the refund reverses no commission and no points." }),
    provider_state: providerRefundState.nullable().openapi({
      description: "The state of the refund at the provider of the payment. Null if the refund is not paid out by a provider.",
    }),
    goods_return: orNull(goodsReturn).openapi({
      description: "The return of the goods, which the store can ask for before it decides. Null if it has not.",
    }),
    lines: z.array(refundedLine).openapi({ description: "Empty if freight alone was refunded." }),
  })
  .openapi("Refund");
