import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id } from "../../_shared/resources/schemas.ts";
import { product } from "./products.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const banner = z
  .strictObject({
    image: z.string(),
    title: z.string().openapi({ description: "What the picture shows." }),
    product_id: id.nullable().openapi({ description: "The product to which the banner leads." }),
  })
  .openapi("Banner");

export const firstPageRoutes = [
  defineRoute({
    method: "get",
    path: "/api/first_page",
    auth: "public",
    tag: "Products",
    summary: bilingual("Banners, featured products and categories of products", "轮播图、推荐商品与商品分类"),
    description: bilingual(
      "Without products that are not on sale, banners that lead to them, and categories without others.",
      "不含未上架商品、指向它们的轮播图，以及没有其他商品的分类。",
    ),
    response: z
      .strictObject({
        banners: z.array(banner),
        featured: z.array(product),
        categories: z.array(z.strictObject({ id, title: z.string() }).openapi("ProductCategory")),
      })
      .openapi("FirstPage"),
    calls: "get_first_page",
    standby: true,
  }),
] as const;
