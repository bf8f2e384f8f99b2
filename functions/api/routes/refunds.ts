import { z } from "@hono/zod-openapi";
import { linkRefundPictures } from "../../_shared/handlers/refund_pictures.ts";
import { paidBack, refund, refundLines, refundPicture } from "../../_shared/resources/refunds.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { idPath, listOf, paragraphs, visibleText } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

export const refundRoutes = [
  defineRoute({
    method: "get",
    path: "/api/order/{id}/refund",
    auth: "user",
    tag: "Orders",
    summary: bilingual("The refunds of an order with their states, newest first", "订单的退款及状态，最新的在前"),
    request: { path: idPath },
    response: listOf(refund),
    errors: ["order_not_found"],
    calls: "get_refunds",
    args: ({ path }) => ({ p_order_id: path.id }),
  }),
  defineRoute({
    method: "post",
    path: "/api/order/{id}/refund",
    auth: "user",
    tag: "Orders",
    summary: bilingual("Request a refund of units of an order", "申请订单部分或全部商品退款"),
    description: bilingual(
      "Without lines, the request covers all units that are left. While it is open, the order does not count for tasks. Possible from the payment until `refund_request_until` of the order.",
      "未指定商品行时，申请覆盖剩余全部商品。申请处理完之前，订单不计入考核。付款后至订单的 `refund_request_until` 之前可以申请。",
    ),
    request: {
      path: idPath,
      body: z
        .strictObject({
          lines: refundLines.optional(),
          reason: paragraphs(0, 500).optional(),
          pictures: z
            .array(z.uuid())
            .max(6)
            .optional()
            .openapi({
              description: bilingual(
                "The ids of pictures from `POST /picture/refund`.",
                "`POST /picture/refund` 所返回图片的 id。",
              ),
            }),
        })
        .optional(),
    },
    status: 201,
    response: refund,
    errors: [
      "order_not_found",
      "order_state_conflict",
      "refund_state_conflict",
      "refund_window_over",
      "refund_exceeds_order",
      "text_not_allowed",
    ],
    calls: "request_refund",
    args: ({ path, body }) => ({
      p_order_id: path.id,
      p_lines: body?.lines,
      p_reason: body?.reason,
      p_pictures: body?.pictures,
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/api/order/{id}/refund",
    auth: "user",
    tag: "Orders",
    summary: bilingual("Take the open refund request of an order back", "撤回订单待处理的退款申请"),
    description: bilingual(
      "Until the store has answered it, or the goods were sent back. Another request can follow.",
      "商城处理前或商品寄出前可以撤回；之后可以再次申请。",
    ),
    request: { path: idPath },
    response: refund,
    errors: ["order_not_found", "order_state_conflict", "refund_not_found", "refund_state_conflict"],
    calls: "take_back_refund",
    args: ({ path }) => ({ p_order_id: path.id }),
  }),
  defineRoute({
    method: "post",
    path: "/api/order/{id}/refund/preview",
    auth: "user",
    tag: "Orders",
    summary: bilingual("Preview what a refund of units of an order would pay back", "预览订单商品退款将退还的金额"),
    description: bilingual(
      "Without lines, of all units that are left. Requests nothing.",
      "未填写 lines 时为剩余的全部件数；不提交申请。",
    ),
    request: { path: idPath, body: z.strictObject({ lines: refundLines.optional() }).optional() },
    response: z.strictObject(paidBack).openapi("OwnRefundPreview"),
    errors: ["order_not_found", "order_state_conflict", "refund_exceeds_order", "refund_window_over"],
    calls: "preview_own_refund",
    args: ({ path, body }) => ({ p_order_id: path.id, p_lines: body?.lines }),
  }),
  defineRoute({
    method: "get",
    path: "/api/order/{id}/refund/picture",
    auth: "user",
    tag: "Orders",
    summary: "Links to the pictures of the refund requests of an order",
    request: { path: idPath },
    response: listOf(refundPicture),
    errors: ["order_not_found", "pictures_unavailable"],
    calls: "get_refund_pictures",
    handler: linkRefundPictures,
  }),
  defineRoute({
    method: "put",
    path: "/api/order/{id}/refund/return",
    auth: "user",
    tag: "Orders",
    summary: bilingual("Enter the parcel by which the goods of a refund request return", "填写退货的快递信息"),
    description: bilingual(
      "Only if the store has asked for them (`goods_return`). It can be corrected until the goods have arrived.",
      "仅在商城要求退货时（`goods_return`）。商品收到前可更正。",
    ),
    request: { path: idPath, body: z.strictObject({ carrier: visibleText(64), tracking_no: visibleText(64) }) },
    response: refund,
    errors: ["order_not_found", "refund_not_found", "refund_state_conflict"],
    calls: "send_return",
    args: ({ path, body }) => ({ p_order_id: path.id, p_carrier: body.carrier, p_tracking_no: body.tracking_no }),
  }),
] as const;
