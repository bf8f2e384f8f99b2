import { z } from "@hono/zod-openapi";
import { earning, productFields } from "../../_shared/resources/products.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { idPath, idText, listOf, orNull, paging, text } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const shown = productFields.extend({
  you_would_earn: orNull(earning).openapi({
    description: bilingual(
      "What the next order of one unit by a direct member would pay the member, by the member's open cycle and level and the plan in force. Null for visitors and for products that pay nothing.",
      "直推会员的下一笔一件商品的订单可为该会员带来的预估，按其当前周期、等级与现行方案计算。访客，以及不产生佣金和积分的商品为 null。",
    ),
  }),
});

export const product = shown.openapi("Product");

export const productRoutes = [
  defineRoute({
    method: "get",
    path: "/api/product",
    auth: "public",
    tag: "Products",
    summary: bilingual("Products on sale, newest first", "在售商品，最新的在前"),
    request: {
      query: paging.extend({
        search: text(1, 64).optional().openapi({ example: "tea", description: "A part of the title." }),
        category_id: idText.optional(),
      }),
    },
    response: listOf(product),
    calls: "get_products",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/product/{id}",
    auth: "public",
    tag: "Products",
    summary: bilingual("One product on sale", "一件在售商品"),
    request: { path: idPath },
    response: shown.extend({ description: z.string().openapi({ description: "HTML." }) }).openapi("ProductPage"),
    errors: ["product_not_found"],
    calls: "get_product",
    standby: true,
  }),
] as const;
