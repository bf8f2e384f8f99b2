import { z } from "@hono/zod-openapi";
import { firstImage } from "../../_shared/resources/products.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, money, moneyText } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const item = z.strictObject({
  product_id: id,
  quantity: z.int().min(1).max(9999),
  price: moneyText
    .optional()
    .openapi({ description: bilingual("The price that the buyer has seen.", "买家看到的价格。") }),
  is_chosen: z
    .boolean()
    .optional()
    .openapi({
      description: bilingual("Whether the item is to be ordered now.", "是否现在订购该商品。"),
      default: true,
    }),
});

const line = z
  .strictObject({
    product_id: id,
    quantity: z.int().min(1),
    title: z
      .string()
      .nullable()
      .openapi({
        description: bilingual(
          "Null if the product is not on sale, like the fields of the product that follow.",
          "商品未上架时为 null，以下商品字段同样为 null。",
        ),
      }),
    image: firstImage,
    price: money.nullable(),
    stock: z.int().min(0).nullable().openapi({ description: "Units that can still be ordered; null: unlimited." }),
    is_queue_goods: z.boolean().nullable(),
    problem: z
      .enum(["unavailable", "sold_out", "too_few"])
      .nullable()
      .openapi({
        description: bilingual(
          "Why the item cannot be ordered. unavailable: not on sale. too_few: fewer units are left than the cart has.",
          "不能订购的原因。unavailable：未上架。too_few：剩余件数少于购物车中的件数。",
        ),
      }),
    is_price_changed: z.boolean().openapi({
      description: bilingual("The price is another one than that of the request.", "价格与请求中的不同。"),
    }),
  })
  .openapi("CartLine");

export const cartRoutes = [
  defineRoute({
    method: "post",
    path: "/api/cart",
    auth: "public",
    tag: "Orders",
    summary: bilingual("What of a cart can be ordered, and at which price", "购物车中可下单的商品及价格"),
    description: bilingual(
      "The client keeps the cart. Nothing is stored, and no stock is taken.",
      "购物车由客户端保存；不存储任何内容，不占库存。",
    ),
    request: { body: z.strictObject({ items: z.array(item).min(1).max(50) }) },
    response: z.strictObject({
      lines: z.array(line),
      total_price: money.openapi({
        description: bilingual(
          "Of the chosen items that can be ordered, without freight.",
          "所选可订购商品的合计，不含运费。",
        ),
      }),
    }),
    calls: "check_cart",
  }),
] as const;
