import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/route.ts";
import { id, idPath, listOf, money, paging, time } from "../../_shared/schemas.ts";

const product = z.strictObject({
  id,
  title: z.string(),
  price: money,
  freight: money.openapi({ description: "Per unit." }),
  is_queue_goods: z.boolean().openapi({ description: "Takes part in cycle commission." }),
  is_show: z.boolean(),
  add_time: time,
}).openapi("Product");

export const productRoutes = [
  defineRoute({
    method: "get",
    path: "/api/product",
    auth: "public",
    tag: "Products",
    summary: "Products on sale, newest first",
    request: { query: paging },
    answer: listOf(product),
    calls: "get_products",
    args: ({ query }) => ({ p_page: query.page, p_limit: query.limit }),
  }),
  defineRoute({
    method: "get",
    path: "/api/product/{id}",
    auth: "public",
    tag: "Products",
    summary: "One product on sale",
    request: { path: idPath },
    answer: product,
    errors: ["product_not_found"],
    calls: "get_product",
    args: ({ path }) => ({ p_id: path.id }),
  }),
] as const;
