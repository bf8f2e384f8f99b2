import { z } from "@hono/zod-openapi";
import { firstImage } from "../../_shared/resources/products.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, orNull, visibleText, webAddress } from "../../_shared/resources/schemas.ts";

const product = z
  .strictObject({ id, title: z.string(), image: firstImage, is_show: z.boolean().openapi({ description: "On sale." }) })
  .openapi("ProductReference");

const firstPage = z
  .strictObject({
    banners: z.array(z.strictObject({ image: z.string(), title: z.string(), product: orNull(product) })),
    featured: z.array(product).openapi({ description: "The products that are shown first." }),
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
    featured: z.array(id).max(20).openapi({ description: "Ids of products." }),
  })
  .openapi("NewFirstPage");

export const firstPageRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/first_page",
    auth: "admin",
    tag: "Products",
    summary: "Banners and featured products of the first page of the app",
    response: firstPage,
    calls: "admin_get_first_page",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/first_page",
    auth: "admin",
    tag: "Products",
    summary: "Replace banners and featured products",
    description: "Both in the sequence in which the app shows them. What is not on sale is kept, and shown again when it is.",
    request: { body: newFirstPage },
    response: firstPage,
    errors: ["product_not_found"],
    calls: "set_first_page",
  }),
] as const;
