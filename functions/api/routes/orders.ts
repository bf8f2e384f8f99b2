import { z } from "@hono/zod-openapi";
import { address } from "../../_shared/resources/addresses.ts";
import { order, orderPreview, shownOrderState } from "../../_shared/resources/orders.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idPath, listOf, moneyText, paging, paragraphs } from "../../_shared/resources/schemas.ts";

const items = z
  .array(z.strictObject({ product_id: id, quantity: z.int().min(1).max(9999) }))
  .min(1)
  .max(50);

const usePoints = z.number().min(0).max(99_999_999_999_999).optional().openapi({
  description:
    "The most points to use. Points pay neither for queue goods nor for freight, and at most the share of the price that the store allows.",
});

const newOrder = z
  .strictObject({
    items,
    address_id: id.optional().openapi({ description: "An address of the member's address book." }),
    address: address.optional().openapi({ description: "An address that is not in the address book, in place of `address_id`." }),
    remark: paragraphs(0, 500).optional(),
    expected_price: moneyText
      .optional()
      .openapi({ description: "The price that the buyer has agreed to. If the order costs another amount after points, it is rejected." }),
    use_points: usePoints,
  })
  .openapi("NewOrder");

export const orderRoutes = [
  defineRoute({
    method: "post",
    path: "/api/order",
    auth: "user",
    tag: "Orders",
    summary: "Place an order",
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
    summary: "What an order would cost",
    description: "Places no order and takes no stock.",
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
    summary: "The member's orders, newest first",
    request: { query: paging.extend({ state: shownOrderState.optional().openapi({ description: "By `shown_state`." }) }) },
    response: listOf(order),
    calls: "get_orders",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/order/{id}",
    auth: "user",
    tag: "Orders",
    summary: "One of the member's orders",
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
    summary: "Confirm that an order was received",
    description:
      "With timing confirm, commission and points are booked in the same transaction. While data of another system is being imported, that is not possible: retry later.",
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
    summary: "Cancel an unpaid order",
    request: { path: idPath },
    response: order,
    errors: ["order_not_found", "order_state_conflict", "too_many_requests"],
    calls: "cancel_order",
    args: ({ path }) => ({ p_order_id: path.id }),
    afterwards: ({ work }) => work(),
  }),
] as const;
