import { z } from "@hono/zod-openapi";
import { id, money, moneyText, orNull, points, time, webAddress } from "./schemas.ts";
import { address } from "./addresses.ts";
import { parcelFields } from "./parcels.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";
import { bilingual } from "../words/bilingual.ts";

const refundLine = z.strictObject({ line_id: id, quantity: z.int().min(1).max(9999) }).openapi("RefundLine");

const refundedLine = z
  .strictObject({
    line_id: id,
    title: z.string().openapi({
      description: bilingual("What the product was called when the order was placed.", "下单时的商品名称。"),
    }),
    quantity: z
      .int()
      .min(0)
      .max(9999)
      .openapi({
        description: bilingual(
          "The units that are refunded, or asked for while the request is open, refused or taken back.",
          "退款的件数；申请待处理、未通过或已撤回时为申请的件数。",
        ),
      }),
    asked: z
      .int()
      .min(1)
      .max(9999)
      .nullable()
      .openapi({
        description: bilingual("The units that the buyer asked for. Null: none.", "买家申请退款的件数；null：未申请。"),
      }),
    concession: money.openapi({
      description: bilingual("What was paid back while the goods were kept.", "保留商品而退还的金额。"),
    }),
  })
  .openapi("RefundedLine");

/** The units to refund. */
export const refundLines = z
  .array(refundLine)
  .min(1)
  .max(50)
  .openapi({
    description: bilingual(
      "The units to refund. The default is the units of the open request, unless answers_request is false, or else all units that are left.",
      "退款的商品。默认为待处理申请中的商品（answers_request 为 false 时除外）；没有申请时为剩余全部商品。",
    ),
  });

const refundItem = z
  .strictObject({
    line_id: id,
    quantity: z
      .int()
      .min(1)
      .max(9999)
      .optional()
      .openapi({ description: bilingual("The units to refund.", "要退款的件数。") }),
    amount: moneyText.optional().openapi({
      description: bilingual(
        "Instead of units: what to pay back while the goods are kept.",
        "代替件数：保留商品而退还的金额。",
      ),
    }),
  })
  .openapi("RefundItem");

/** What a refund of an administrator names. */
export const refundRequest = {
  lines: z
    .array(refundItem)
    .max(50)
    .optional()
    .openapi({
      description: bilingual(
        "Of each line either units or an amount. The default is the units of the open request, or else all units that are left. Empty: freight alone.",
        "每行填写件数或金额之一。默认为待处理申请的件数，没有申请时为剩余的全部件数。为空：只退运费。",
      ),
    }),
  amount: moneyText.optional().openapi({
    description: bilingual(
      "Instead of lines: an amount for the goods as a whole, spread over what is left of them. Freight is refunded only if it is named, too.",
      "代替逐行填写：全部商品合计退还的金额，按各行剩余金额分摊。运费仅在另行填写时退还。",
    ),
  }),
  freight: moneyText.optional().openapi({
    description: bilingual(
      "The freight to pay back as well. The default is what is left of it if no unit is left of an order that was not shipped, otherwise 0.00.",
      "一并退还的运费。默认：未发货且商品全部退完时为剩余运费，否则为 0.00。",
    ),
  }),
};

/** What a refund pays back to the buyer, without writing it. */
export const paidBack = {
  amount: money.openapi({
    description: bilingual("What the buyer would get back, with freight.", "买家将收到的退款，含运费。"),
  }),
  freight: money.openapi({ description: bilingual("The part of it that is freight.", "其中的运费。") }),
  freight_left: money.openapi({
    description: bilingual("What is left of the freight before the refund.", "退款前剩余的可退运费。"),
  }),
  points: points.openapi({
    description: bilingual("The points that would return to the buyer.", "将退回买家的积分。"),
  }),
  lines: z
    .array(
      z.strictObject({
        line_id: id,
        units: z
          .int()
          .min(0)
          .openapi({ description: bilingual("The units that would be refunded.", "将退款的件数。") }),
        amount: money.openapi({ description: bilingual("What would be paid back of the line.", "该行将退还的金额。") }),
        left: money.openapi({
          description: bilingual(
            "What is left of what was paid for the line, before the refund.",
            "退款前该行剩余的实付金额。",
          ),
        }),
      }),
    )
    .openapi({ description: bilingual("All lines of the order.", "订单的全部商品行。") }),
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
    address: address.openapi({ description: bilingual("Where the buyer sends the goods.", "买家寄回商品的地址。") }),
    asked_at: time,
    sent_at: time.nullable().openapi({
      description: bilingual("When the buyer entered the parcel for the first time.", "买家首次填写快递信息的时间。"),
    }),
    received_at: time.nullable(),
  })
  .openapi("GoodsReturn");

/** What WeChat says of a picture. */
const contentCheck = z
  .enum(VALUE_LISTS["pictures.content_check"])
  .nullable()
  .openapi({
    description: bilingual(
      "What WeChat says of the picture: a person should look at it, or it is refused. Null: nothing, or an administrator has dismissed the doubt.",
      "微信对图片的检查结果：需人工复核，或不通过。null：没有结果，或管理员已忽略。",
    ),
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
  description: bilingual(
    "Whether the refund answers the open request. The default is true if it has a line that the request has. Otherwise the request stays open.",
    "该退款是否作为对待处理申请的答复。退款包含申请中的商品行时默认为 true；否则申请仍待处理。",
  ),
});

/** A refund: a request and its answer, or what was refunded without a request. */
export const refund = z
  .strictObject({
    id,
    order_id: id,
    state: refundState.openapi({
      description: bilingual(
        "`refunded`: granted, or refunded without a request. `partly_refunded`: granted in part; with an amount of 0.00, other refunds had paid back what was asked for. `taken_back`: by the buyer.",
        "`refunded`：申请已同意，或无申请的退款。`partly_refunded`：部分退款；金额为 0.00 时，所申请的商品已由其他退款退回。`taken_back`：买家已撤回。",
      ),
    }),
    reason: z.string(),
    reason_check: z
      .enum(VALUE_LISTS["refunds.reason_check"])
      .nullable()
      .openapi({
        description: bilingual(
          "What WeChat says of the reason: a person should look at it, or it is refused. Null: nothing, or an administrator has dismissed the doubt.",
          "微信对退款原因的检查结果：需人工复核，或不通过。null：没有结果，或管理员已忽略。",
        ),
      }),
    refusal_reason: z.string().openapi({
      description: bilingual(
        "Why the store has refused the request. Empty: it has not refused it, or has not said why.",
        "商城拒绝申请的原因；未拒绝或未说明时为空。",
      ),
    }),
    pictures: z.array(z.strictObject({ id: z.uuid(), content_check: contentCheck })).openapi({
      description: bilingual(
        "The pictures that the buyer has added. Links to them are at `…/order/{id}/refund/picture`.",
        "买家添加的图片，链接见 `…/order/{id}/refund/picture`。",
      ),
    }),
    amount: money.openapi({
      description: bilingual(
        "What is paid back, with freight and without what points paid. For an open request, what granting it would pay back now.",
        "退还的金额，含运费，不含积分抵扣部分；待处理的申请为此刻同意将退还的金额。",
      ),
    }),
    freight: money.openapi({ description: bilingual("The part of the amount that is freight.", "金额中的运费部分。") }),
    points: points.openapi({
      description: bilingual("The points that these units return to the buyer.", "为这些商品退回买家的积分。"),
    }),
    created_at: time,
    decided_at: time.nullable(),
    is_imported: z.boolean().openapi({
      description: bilingual(
        "Whether the order was imported: the refund reverses no commission and no points.",
        "是否为导入的订单：退款不冲回佣金与积分。",
      ),
    }),
    provider_state: providerRefundState.nullable().openapi({
      description: bilingual(
        "The state of the refund at the provider of the payment. Null if the refund is not paid out by a provider.",
        "支付机构的退款状态；不经支付机构退款时为 null。",
      ),
    }),
    goods_return: orNull(goodsReturn).openapi({
      description: bilingual(
        "The return of the goods, which the store can ask for before it decides. Null if it has not.",
        "退货：商城处理申请前可要求寄回商品；未要求时为 null。",
      ),
    }),
    lines: z
      .array(refundedLine)
      .openapi({ description: bilingual("Empty if freight alone was refunded.", "只退运费时为空。") }),
  })
  .openapi("Refund");
