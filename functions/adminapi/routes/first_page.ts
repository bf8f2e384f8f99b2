import { z } from "@hono/zod-openapi";
import { firstImage } from "../../_shared/resources/products.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, orNull, visibleText, webAddress } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const product = z
  .strictObject({ id, title: z.string(), image: firstImage, is_show: z.boolean().openapi({ description: "On sale." }) })
  .openapi("ProductReference");

const firstPage = z
  .strictObject({
    banners: z.array(z.strictObject({ image: z.string(), title: z.string(), product: orNull(product) })),
    featured: z
      .array(product)
      .openapi({ description: bilingual("The products that are shown first.", "排在最前的商品。") }),
  })
  .openapi("AdminFirstPage");

const newFirstPage = z
  .strictObject({
    banners: z
      .array(
        z.strictObject({
          image: webAddress(1000),
          title: visibleText(200).openapi({ description: "What the picture shows." }),
          product_id: id.nullable().openapi({ description: "The product to which the banner leads." }),
        }),
      )
      .max(10),
    featured: z
      .array(id)
      .max(20)
      .openapi({ description: bilingual("Ids of products.", "商品的 id。") }),
  })
  .openapi("NewFirstPage");

export const firstPageRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/first_page",
    auth: "admin",
    tag: "Products",
    summary: bilingual("Banners and featured products of the first page of the app", "应用首页的轮播图与推荐商品"),
    response: firstPage,
    calls: "admin_get_first_page",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/first_page",
    auth: "admin",
    tag: "Products",
    summary: bilingual("Replace banners and featured products", "替换轮播图与推荐商品"),
    description: bilingual(
      "Both in the sequence in which the app shows them. What is not on sale is kept, and shown again when it is.",
      "均按应用显示的顺序。未上架的保留，上架后重新显示。",
    ),
    request: { body: newFirstPage },
    response: firstPage,
    errors: ["product_not_found"],
    calls: "set_first_page",
  }),
] as const;
