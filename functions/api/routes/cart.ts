import { z } from "@hono/zod-openapi";
import { firstImage } from "../../_shared/resources/products.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, money, moneyText } from "../../_shared/resources/schemas.ts";

const item = z.strictObject({
  product_id: id,
  quantity: z.int().min(1).max(9999),
  price: moneyText.optional().openapi({ description: "The price that the buyer has seen." }),
  is_chosen: z.boolean().optional().openapi({ description: "Whether the item is to be ordered now.", default: true }),
});

const line = z
  .strictObject({
    product_id: id,
    quantity: z.int().min(1),
    title: z
      .string()
      .nullable()
      .openapi({ description: "Null if the product is not on sale, like the fields of the product that follow." }),
    image: firstImage,
    price: money.nullable(),
    stock: z.int().min(0).nullable().openapi({ description: "Units that can still be ordered; null: unlimited." }),
    is_queue_goods: z.boolean().nullable(),
    problem: z.enum(["unavailable", "sold_out", "too_few"]).nullable().openapi({
      description: "Why the item cannot be ordered. unavailable: not on sale. too_few: fewer units are left than the cart has.",
    }),
    is_price_changed: z.boolean().openapi({ description: "The price is another one than that of the request." }),
  })
  .openapi("CartLine");

export const cartRoutes = [
  defineRoute({
    method: "post",
    path: "/api/cart",
    auth: "public",
    tag: "Orders",
    summary: "What of a cart can be ordered, and at which price",
    description: "The client keeps the cart. Nothing is stored, and no stock is taken.",
    request: { body: z.strictObject({ items: z.array(item).min(1).max(50) }) },
    response: z.strictObject({
      lines: z.array(line),
      total_price: money.openapi({ description: "Of the chosen items that can be ordered, without freight." }),
    }),
    calls: "check_cart",
  }),
] as const;
