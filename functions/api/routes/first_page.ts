import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id } from "../../_shared/resources/schemas.ts";
import { product } from "./products.ts";

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
    summary: "Banners, featured products and categories of products",
    description: "Without products that are not on sale, banners that lead to them, and categories without others.",
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
