import { z } from "@hono/zod-openapi";
import { address } from "../../_shared/resources/addresses.ts";
import { openOrders, order, orderPreview, shownOrderState } from "../../_shared/resources/orders.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { flagText, id, idPath, listOf, moneyText, paging, paragraphs } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const items = z
  .array(z.strictObject({ product_id: id, quantity: z.int().min(1).max(9999) }))
  .min(1)
  .max(50);

const usePoints = z
  .number()
  .min(0)
  .max(99_999_999_999_999)
  .optional()
  .openapi({
    description: bilingual(
      "The most points to use. Points pay neither for queue goods nor for freight, and at most the share of the price that the store allows.",
      "最多使用的积分。积分不能抵扣报单商品与运费，且最多抵扣商城允许的比例。",
    ),
  });

const newOrder = z
  .strictObject({
    items,
    address_id: id
      .optional()
      .openapi({ description: bilingual("An address of the member's address book.", "会员地址簿中的地址。") }),
    address: address.optional().openapi({
      description: bilingual(
        "An address that is not in the address book, in place of `address_id`.",
        "地址簿之外的地址，代替 `address_id`。",
      ),
    }),
    remark: paragraphs(0, 500).optional(),
    expected_price: moneyText.optional().openapi({
      description: bilingual(
        "The price that the buyer has agreed to. If the order costs another amount after points, it is rejected.",
        "买家同意的价格。积分抵扣后金额与此不同的，不接受订单。",
      ),
    }),
    use_points: usePoints,
  })
  .openapi("NewOrder");

export const orderRoutes = [
  defineRoute({
    method: "post",
    path: "/api/order",
    auth: "user",
    tag: "Orders",
    summary: bilingual("Place an order", "下单"),
    request: { body: newOrder },
    status: 201,
    response: order,
    errors: [
      "product_unavailable",
      "out_of_stock",
      "price_changed",
      "address_not_found",
      "too_many_unpaid_orders",
      "too_many_unpaid_units",
      "too_many_requests",
      "account_leaving",
      "text_not_allowed",
    ],
    calls: "create_order",
  }),
  defineRoute({
    method: "post",
    path: "/api/order/preview",
    auth: "user",
    tag: "Orders",
    summary: bilingual("What an order would cost", "订单的预计金额"),
    description: bilingual("Places no order and takes no stock.", "不下单，不占库存。"),
    request: { body: z.strictObject({ items, use_points: usePoints }) },
    response: orderPreview,
    errors: ["product_unavailable", "out_of_stock"],
    calls: "preview_order",
  }),
  defineRoute({
    method: "get",
    path: "/api/order",
    auth: "user",
    tag: "Orders",
    summary: bilingual("The member's orders, newest first", "会员的订单，最新的在前"),
    request: {
      query: paging.extend({
        state: shownOrderState.optional().openapi({ description: "By `shown_state`." }),
        has_refund: flagText.optional().openapi({
          description: bilingual(
            "True: only orders of which a refund was requested or made, whatever became of it.",
            "true：仅返回申请过退款或有过退款的订单，无论结果如何。",
          ),
        }),
      }),
    },
    response: listOf(order),
    calls: "get_orders",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/order/count",
    auth: "user",
    tag: "Orders",
    summary: bilingual("How many of the member's orders wait, by what they wait for", "会员各待办状态的订单数"),
    response: openOrders,
    calls: "count_open_orders",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/order/{id}",
    auth: "user",
    tag: "Orders",
    summary: bilingual("One of the member's orders", "会员的一笔订单"),
    request: { path: idPath },
    response: order,
    errors: ["order_not_found"],
    calls: "get_order",
  }),
  defineRoute({
    method: "put",
    path: "/api/order/{id}/receive",
    auth: "user",
    tag: "Orders",
    summary: bilingual("Confirm that an order was received", "确认收货"),
    description: bilingual(
      "With timing confirm, commission and points are booked in the same transaction. While data of another system is being imported, that is not possible: retry later.",
      "结算时机为 confirm 时，佣金与积分在同一事务中入账。导入其他系统数据期间无法进行，请稍后重试。",
    ),
    request: { path: idPath },
    response: order,
    errors: ["order_not_found", "order_state_conflict", "import_unfinished"],
    calls: "confirm_receipt",
    args: ({ path }) => ({ p_order_id: path.id }),
  }),
  defineRoute({
    method: "put",
    path: "/api/order/{id}/cancel",
    auth: "user",
    tag: "Orders",
    summary: bilingual("Cancel an unpaid order", "取消未付款订单"),
    request: { path: idPath },
    response: order,
    errors: ["order_not_found", "order_state_conflict", "too_many_requests"],
    calls: "cancel_order",
    args: ({ path }) => ({ p_order_id: path.id }),
    afterwards: ({ work }) => work(),
  }),
] as const;
