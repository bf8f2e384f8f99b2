import { z } from "@hono/zod-openapi";
import { billRow } from "../../_shared/resources/bill.ts";
import { linkRefundPictures } from "../../_shared/handlers/refund_pictures.ts";
import {
  answersRequest,
  paidBack,
  refund,
  refundPicture,
  refundRequest,
  refundState,
} from "../../_shared/resources/refunds.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idPath, listOf, paragraphs, text } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const counts = z.strictObject({
  direct_orders: z.int(),
  umbrella_orders: z.int(),
  direct_members: z.int(),
  umbrella_members: z.int(),
});

/** A bill row that is not written. It has no id. */
const foreseenBillRow = billRow.omit({ id: true }).openapi("ForeseenBillRow");

/** What a decision about a refund would change of members. */
const foreseenMembers = {
  counts: z
    .array(z.strictObject({ uid: id, before: counts, after: counts }))
    .openapi({ description: bilingual("Members whose task counts would change.", "考核计数将变化的会员。") }),
  rises: z.array(z.strictObject({ uid: id, from_level: z.int().min(0), to_level: z.int().min(1) })).openapi({
    description: bilingual(
      "Members who would rise, with their level before and after.",
      "将升级的会员及升级前后的级别。",
    ),
  }),
};

const preview = z
  .strictObject({
    ...paidBack,
    refund_status: z
      .int()
      .min(0)
      .max(3)
      .openapi({
        description: bilingual("The refund status of the order after the refund.", "退款后订单的退款状态。"),
      }),
    request_state: refundState
      .extract(["requested", "refunded", "partly_refunded"])
      .nullable()
      .openapi({
        description: bilingual(
          "The state of the open request after the refund. Null without one.",
          "退款后待处理申请的状态；没有申请时为 null。",
        ),
      }),
    is_imported: z.boolean().openapi({
      description: bilingual(
        "Whether the order was imported: nothing is reversed, because this store paid nobody for it.",
        "是否为导入的订单：商城未曾为其发放，因此不冲回。",
      ),
    }),
    reversals: z
      .array(foreseenBillRow)
      .openapi({ description: bilingual("The bill rows that the refund would write.", "退款将写入的账单行。") }),
    reopened_place: z.strictObject({ uid: id, cycle_no: z.int(), place: z.int() }).nullable(),
    ...foreseenMembers,
  })
  .openapi("RefundPreview");

export const refundRoutes = [
  defineRoute({
    method: "put",
    path: "/adminapi/order/{id}/refund",
    auth: "admin",
    tag: "Refunds",
    summary: bilingual("Refund units, amounts or freight of an order", "退还订单的商品、金额或运费"),
    description: bilingual(
      "Reduces commission and points to what the rest of the order should have paid. Repeating the request with the same refund_ref changes nothing.",
      "将佣金与积分减至订单剩余部分应得的数额。以相同 refund_ref 重复请求不产生变化。",
    ),
    request: {
      path: idPath,
      body: z
        .strictObject({
          ...refundRequest,
          refund_ref: text(1, 128).optional(),
          answers_request: answersRequest.optional(),
        })
        .optional(),
    },
    response: refund,
    errors: [
      "own_account",
      "order_not_found",
      "order_state_conflict",
      "refund_not_found",
      "refund_exceeds_order",
      "refund_reference_used",
    ],
    calls: "refund_order",
    args: ({ path, body }) => ({
      p_order_id: path.id,
      p_lines: body?.lines,
      p_refund_ref: body?.refund_ref,
      p_answers_request: body?.answers_request,
      p_amount: body?.amount,
      p_freight: body?.freight,
    }),
    afterwards: ({ work }) => work(),
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/order/{id}/refund/preview",
    auth: "admin",
    tag: "Refunds",
    summary: bilingual("Preview what a refund would pay back and reverse", "预览退款将退还与冲回的内容"),
    request: {
      path: idPath,
      body: z.strictObject({ ...refundRequest, answers_request: answersRequest.optional() }).optional(),
    },
    response: preview,
    errors: ["order_not_found", "order_state_conflict", "refund_not_found", "refund_exceeds_order"],
    calls: "preview_refund",
    args: ({ path, body }) => ({
      p_order_id: path.id,
      p_lines: body?.lines,
      p_answers_request: body?.answers_request,
      p_amount: body?.amount,
      p_freight: body?.freight,
    }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/order/{id}/refund/refuse",
    auth: "admin",
    tag: "Refunds",
    summary: bilingual("Refuse the open refund request of an order", "拒绝订单待处理的退款申请"),
    request: {
      path: idPath,
      body: z
        .strictObject({
          reason: paragraphs(0, 500)
            .optional()
            .openapi({ description: bilingual("The buyer sees it.", "买家可以看到。") }),
        })
        .optional(),
    },
    response: refund,
    errors: ["own_account", "order_not_found", "order_state_conflict", "refund_not_found"],
    calls: "refuse_refund",
    args: ({ path, body }) => ({ p_order_id: path.id, p_reason: body?.reason }),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/order/{id}/refund/refuse/preview",
    auth: "admin",
    tag: "Refunds",
    summary: bilingual(
      "Preview what the refusal of the open refund request would change",
      "预览拒绝退款申请将带来的变化",
    ),
    description: bilingual(
      "An order with queue goods counts towards tasks again, which can raise levels.",
      "含报单商品的订单将重新计入考核，可能使会员升级。",
    ),
    request: { path: idPath },
    response: z.strictObject(foreseenMembers).openapi("RefusalPreview"),
    errors: ["order_not_found", "order_state_conflict", "refund_not_found"],
    calls: "preview_refusal",
    args: ({ path }) => ({ p_order_id: path.id }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/order/{id}/refund/return",
    auth: "admin",
    tag: "Refunds",
    summary: bilingual(
      "Ask for the goods of the open refund request of a shipped order",
      "要求寄回已发货订单退款申请中的商品",
    ),
    description: bilingual(
      "The buyer sees the return address of the settings and enters the parcel. The request stays open; it can be refunded or refused at any time. Repeating the request changes nothing.",
      "买家看到设置中的退货地址并填写快递信息。申请仍待处理，可随时退款或拒绝。重复请求不产生变化。",
    ),
    request: { path: idPath },
    response: refund,
    errors: ["own_account", "order_not_found", "order_state_conflict", "refund_state_conflict", "refund_not_found"],
    calls: "request_return",
    args: ({ path }) => ({ p_order_id: path.id }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/order/{id}/refund/return/receive",
    auth: "admin",
    tag: "Refunds",
    summary: bilingual("Record that the goods of the open refund request have arrived", "登记退款申请的商品已收到"),
    description: bilingual(
      "Also if the buyer has entered no parcel. Refunds nothing. Repeating the request changes nothing.",
      "买家未填写快递信息时也可登记。不会退款。重复请求不产生变化。",
    ),
    request: { path: idPath },
    response: refund,
    errors: ["own_account", "order_not_found", "refund_state_conflict", "refund_not_found"],
    calls: "receive_return",
    args: ({ path }) => ({ p_order_id: path.id }),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/order/{id}/refund/picture",
    auth: "admin",
    tag: "Refunds",
    summary: "Links to the pictures of the refund requests of an order",
    request: { path: idPath },
    response: listOf(refundPicture),
    errors: ["order_not_found", "pictures_unavailable"],
    calls: "admin_get_refund_pictures",
    handler: linkRefundPictures,
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/order/{id}/refund/doubt/dismiss",
    auth: "admin",
    tag: "Refunds",
    summary: bilingual("Dismiss the doubt of WeChat about a refund request", "忽略微信对退款申请的疑似违规提示"),
    description: bilingual(
      "About its reason, or about one of its pictures. Repeating the request changes nothing.",
      "针对其原因或其中一张图片。重复请求不产生变化。",
    ),
    request: { path: idPath, body: z.strictObject({ refund_id: id, picture_id: z.uuid().optional() }) },
    response: refund,
    errors: ["own_account", "refund_not_found"],
    calls: "dismiss_refund_doubt",
    args: ({ path, body }) => ({ p_order_id: path.id, p_refund_id: body.refund_id, p_picture_id: body.picture_id }),
  }),
] as const;
