import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idPath, listOf, time, visibleText } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

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
    summary: bilingual("All categories of products, in their sequence", "全部商品分类，按顺序排列"),
    response: categories,
    calls: "admin_get_product_categories",
    standby: true,
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/product_category",
    auth: "admin",
    tag: "Products",
    summary: bilingual("Add a category of products, the last one", "新增商品分类，排在最后"),
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
    summary: bilingual("Sort the categories of products", "商品分类排序"),
    description: bilingual("Name each category once.", "每个分类只能出现一次。"),
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
    summary: bilingual("Rename a category of products", "重命名商品分类"),
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
    summary: bilingual("Mark a category without products as deleted", "删除没有商品的分类"),
    request: { path: idPath },
    response: z.strictObject({ id, is_del: z.literal(1) }),
    errors: ["product_category_not_found", "product_category_in_use"],
    calls: "delete_product_category",
  }),
] as const;
