import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { flag, id, idPath, listOf, paging, time, visibleText } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const category = z
  .strictObject({
    id,
    title: z.string(),
    is_sign_in_ad: z.boolean().openapi({
      description: bilingual(
        "Whether the sign-in gate draws from this category. At most one category has the flag.",
        "登录前阅读是否从该分类中抽取文章；至多一个分类有此标记。",
      ),
    }),
    hidden: z.boolean(),
    readable_articles: z
      .int()
      .min(0)
      .openapi({
        description: bilingual(
          "Articles with status 1, is_del 0 and hidden 0.",
          "status 为 1、is_del 为 0、hidden 为 0 的文章数。",
        ),
      }),
    add_time: time,
    updated_at: time,
    updated_by: actor,
  })
  .openapi("ArticleCategory");

const newCategory = z.strictObject({
  title: visibleText(100),
  is_sign_in_ad: flag.optional(),
  hidden: flag.optional(),
});

const categoryChange = newCategory.partial().refine((body) => Object.keys(body).length > 0, "Send at least one field.");

export const articleCategoryRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/article_category",
    auth: "admin",
    tag: "Articles",
    summary: bilingual("Article categories, newest first", "文章分类，最新的在前"),
    request: { query: paging },
    response: listOf(category),
    calls: "get_article_categories",
    standby: true,
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/article_category",
    auth: "admin",
    tag: "Articles",
    summary: bilingual("Add an article category", "新增文章分类"),
    description: "is_sign_in_ad moves the flag from the category that had it.",
    request: { body: newCategory.openapi("NewArticleCategory") },
    status: 201,
    response: category,
    calls: "create_article_category",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/article_category/{id}",
    auth: "admin",
    tag: "Articles",
    summary: bilingual("One article category", "一个文章分类"),
    request: { path: idPath },
    response: category,
    errors: ["article_category_not_found"],
    calls: "get_article_category",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/article_category/{id}",
    auth: "admin",
    tag: "Articles",
    summary: bilingual("Change the given fields of an article category", "修改文章分类的指定字段"),
    description: "is_sign_in_ad moves the flag from the category that had it.",
    request: { path: idPath, body: categoryChange.openapi("ArticleCategoryChange") },
    response: category,
    errors: ["article_category_not_found"],
    calls: "set_article_category",
  }),
  defineRoute({
    method: "delete",
    path: "/adminapi/article_category/{id}",
    auth: "admin",
    tag: "Articles",
    summary: bilingual("Mark an article category without articles as deleted", "删除没有文章的分类"),
    request: { path: idPath },
    response: z.strictObject({ id, is_del: z.literal(1) }),
    errors: ["article_category_not_found", "article_category_in_use"],
    calls: "delete_article_category",
  }),
] as const;
