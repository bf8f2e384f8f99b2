import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { posterDesign, productFields } from "../../_shared/resources/products.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  flag,
  flagText,
  id,
  idPath,
  ids,
  idText,
  listOf,
  moneyText,
  paging,
  text,
  sortBy,
  time,
  visibleText,
  webAddress,
} from "../../_shared/resources/schemas.ts";
import { html } from "../html_text.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const product = productFields
  .extend({
    updated_at: time,
    updated_by: actor,
    description: z.string(),
    poster_design: posterDesign
      .nullable()
      .openapi({ description: bilingual("Null: that of the store.", "null：使用商城的样式。") }),
    low_stock: z
      .int()
      .min(0)
      .openapi({
        description: bilingual(
          "A product on sale with fewer units than this waits for administrators; 0: never.",
          "在售商品的库存少于此值时提醒管理员；0：不提醒。",
        ),
      }),
  })
  .openapi("AdminProduct");

const newProduct = z.strictObject({
  title: visibleText(200),
  price: moneyText,
  freight: moneyText.optional(),
  is_queue_goods: flag.optional(),
  is_show: flag.optional(),
  images: z.array(webAddress(1000)).max(12).optional(),
  description: html(20_000).optional(),
  stock: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .optional()
    .openapi({ description: "Units that can still be ordered; null: unlimited." }),
  low_stock: z.int().min(0).max(1_000_000_000).optional(),
  category_id: id
    .nullable()
    .optional()
    .openapi({ description: bilingual("Null: in no category.", "null：不属于任何分类。") }),
  poster_design: posterDesign
    .nullable()
    .optional()
    .openapi({
      description: bilingual(
        "The design of its posters; null: that of the store.",
        "商品海报的样式；null：使用商城的样式。",
      ),
    }),
});

const productChange = newProduct.partial().refine((body) => Object.keys(body).length > 0, "Send at least one field.");

const argsOf = (body: z.output<typeof productChange>) => ({
  p_title: body.title,
  p_price: body.price,
  p_freight: body.freight,
  p_is_queue_goods: body.is_queue_goods,
  p_is_show: body.is_show,
  p_images: body.images,
  p_description: body.description,
  p_stock: body.stock ?? undefined,
  p_low_stock: body.low_stock,
  p_category_id: body.category_id ?? undefined,
  // An empty one is that of the store.
  p_poster_design: body.poster_design === null ? "" : body.poster_design,
});

export const productRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/product",
    auth: "admin",
    tag: "Products",
    summary: bilingual("Products, on sale or not", "全部商品，无论是否在售"),
    request: {
      query: paging.extend({
        search: text(1, 64).optional().openapi({ example: "tea", description: "A part of the title." }),
        is_show: flagText.optional(),
        is_queue_goods: flagText.optional(),
        category_id: idText.optional(),
        is_low: flagText.optional().openapi({
          description: bilingual("Whether fewer units than low_stock are left.", "剩余件数是否少于 low_stock。"),
        }),
        sort: sortBy("admin_get_products", " An unlimited stock is the largest."),
      }),
    },
    response: listOf(product),
    calls: "admin_get_products",
    standby: true,
    args: ({ query }) => ({
      p_search: query.search,
      p_is_show: query.is_show,
      p_is_queue_goods: query.is_queue_goods,
      p_category_id: query.category_id,
      p_is_low: query.is_low,
      p_page: query.page,
      p_limit: query.limit,
      p_sort: query.sort,
    }),
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/product",
    auth: "admin",
    tag: "Products",
    summary: bilingual("Add a product", "新增商品"),
    request: { body: newProduct.openapi("NewProduct") },
    status: 201,
    response: product,
    errors: ["product_category_not_found"],
    calls: "create_product",
    args: ({ body }) => argsOf(body),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/product/sale",
    auth: "admin",
    tag: "Products",
    summary: bilingual(
      "Put several products on sale, or take them off, all or none",
      "批量上架或下架商品，全部成功或全部不变",
    ),
    request: { body: z.strictObject({ ids, is_show: flag }).openapi("ProductSale") },
    response: z.strictObject({
      changed: z.int().min(0),
      unchanged: z
        .int()
        .min(0)
        .openapi({
          description: bilingual("How many were on sale, or not, already.", "原本已是所设上架状态的商品数。"),
        }),
    }),
    errors: ["product_not_found"],
    calls: "set_on_sale",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/product/{id}",
    auth: "admin",
    tag: "Products",
    summary: bilingual("One product, on sale or not", "一件商品，无论是否在售"),
    request: { path: idPath },
    response: product,
    errors: ["product_not_found"],
    calls: "admin_get_product",
    args: ({ path }) => ({ p_id: path.id }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/product/{id}",
    auth: "admin",
    tag: "Products",
    summary: bilingual("Change the given fields of a product", "修改商品的指定字段"),
    description: bilingual(
      "Earlier orders keep the title, price and flag with which they were placed.",
      "此前的订单保留下单时的标题、价格与标记。",
    ),
    request: { path: idPath, body: productChange.openapi("ProductChange") },
    response: product,
    errors: ["product_not_found", "product_category_not_found"],
    calls: "set_product",
    args: ({ path, body }) => ({
      p_id: path.id,
      ...argsOf(body),
      p_is_unlimited: body.stock === null,
      p_has_no_category: body.category_id === null,
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/adminapi/product/{id}",
    auth: "admin",
    tag: "Products",
    summary: bilingual("Mark a product that was never ordered as deleted", "删除从未被下单的商品"),
    request: { path: idPath },
    response: z.strictObject({ id, is_del: z.literal(1) }),
    errors: ["product_not_found", "product_was_ordered"],
    calls: "delete_product",
  }),
] as const;
