import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idPath, listOf, time, visibleText } from "../../_shared/resources/schemas.ts";

const category = z
  .strictObject({
    id,
    title: z.string(),
    products: z.int().min(0),
    products_on_sale: z.int().min(0),
    add_time: time,
    updated_at: time,
    updated_by: actor,
  })
  .openapi("AdminProductCategory");

const categories = listOf(category);

const newCategory = z.strictObject({ title: visibleText(100) }).openapi("NewProductCategory");

export const productCategoryRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/product_category",
    auth: "admin",
    tag: "Products",
    summary: "All categories of products, in their sequence",
    response: categories,
    calls: "admin_get_product_categories",
    standby: true,
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/product_category",
    auth: "admin",
    tag: "Products",
    summary: "Add a category of products, the last one",
    request: { body: newCategory },
    status: 201,
    response: category,
    calls: "create_product_category",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/product_category/sequence",
    auth: "admin",
    tag: "Products",
    summary: "Sort the categories of products",
    description: "Name each category once.",
    request: { body: z.strictObject({ ids: z.array(id).max(100) }).openapi("ProductCategorySequence") },
    response: categories,
    errors: ["changed_meanwhile"],
    calls: "sort_product_categories",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/product_category/{id}",
    auth: "admin",
    tag: "Products",
    summary: "Rename a category of products",
    request: { path: idPath, body: newCategory },
    response: category,
    errors: ["product_category_not_found"],
    calls: "set_product_category",
  }),
  defineRoute({
    method: "delete",
    path: "/adminapi/product_category/{id}",
    auth: "admin",
    tag: "Products",
    summary: "Mark a category without products as deleted",
    request: { path: idPath },
    response: z.strictObject({ id, is_del: z.literal(1) }),
    errors: ["product_category_not_found", "product_category_in_use"],
    calls: "delete_product_category",
  }),
] as const;
