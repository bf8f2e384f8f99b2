import { z } from "@hono/zod-openapi";
import { productFields } from "../../_shared/resources/products.ts";
import { defineRoute } from "../../_shared/route.ts";
import { idPath, listOf, paging } from "../../_shared/schemas.ts";

const product = productFields.openapi("Product");

export const productRoutes = [
  defineRoute({
    method: "get",
    path: "/api/product",
    auth: "public",
    tag: "Products",
    summary: "Products on sale, newest first",
    request: { query: paging },
    response: listOf(product),
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
    response: productFields.extend({ description: z.string() }).openapi("ProductPage"),
    errors: ["product_not_found"],
    calls: "get_product",
    args: ({ path }) => ({ p_id: path.id }),
  }),
] as const;
