import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  flag,
  flagText,
  id,
  idPath,
  idText,
  link,
  listOf,
  paging,
  paragraphs,
  text,
  time,
  visibleText,
} from "../../_shared/resources/schemas.ts";
import { html } from "../html_text.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const MAX_CONTENT = 60_000;

const bit = z.int().min(0).max(1);
const articleFields = z.strictObject({
  id,
  cid: id,
  title: z.string(),
  author: z.string(),
  image_input: z.string(),
  synopsis: z.string(),
  url: z.string(),
  status: bit.openapi({ description: bilingual("1 means published.", "1 表示已发布。") }),
  hidden: bit,
  add_time: time,
  updated_at: time,
  updated_by: actor,
});

const listedArticle = articleFields.openapi("ListedArticle");

const article = articleFields.extend({ content: z.string() }).openapi("AdminArticle");

const newArticle = z.strictObject({
  cid: id,
  title: visibleText(200),
  author: text(0, 100).optional(),
  image_input: link(500).optional(),
  synopsis: paragraphs(0, 1000).optional(),
  content: html(
    MAX_CONTENT,
    " The whole request may have at most 64 KiB; a Chinese character takes three bytes.",
  ).optional(),
  url: link(500).optional(),
  status: flag.optional(),
  hidden: flag.optional(),
});

const articleChange = newArticle.partial().refine((body) => Object.keys(body).length > 0, "Send at least one field.");

const argsOf = (body: z.output<typeof articleChange>) => ({
  p_cid: body.cid,
  p_title: body.title,
  p_author: body.author,
  p_image_input: body.image_input,
  p_synopsis: body.synopsis,
  p_content: body.content,
  p_url: body.url,
  p_status: bitOf(body.status),
  p_hidden: bitOf(body.hidden),
});

/** Articles store 1 and 0 instead of booleans. */
function bitOf(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

export const articleRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/article",
    auth: "admin",
    tag: "Articles",
    summary: bilingual("Articles without their content, newest first", "文章（不含正文），最新的在前"),
    request: {
      query: paging.extend({
        cid: idText.optional(),
        search: text(1, 64).optional().openapi({ example: "tea", description: "A part of the title." }),
        status: flagText.optional(),
        hidden: flagText.optional(),
      }),
    },
    response: listOf(listedArticle),
    calls: "get_articles",
    standby: true,
    args: ({ query }) => ({
      p_cid: query.cid,
      p_search: query.search,
      p_status: bitOf(query.status),
      p_hidden: bitOf(query.hidden),
      p_page: query.page,
      p_limit: query.limit,
    }),
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/article",
    auth: "admin",
    tag: "Articles",
    summary: bilingual("Add an article", "新增文章"),
    request: { body: newArticle.openapi("NewArticle") },
    status: 201,
    response: article,
    calls: "create_article",
    args: ({ body }) => argsOf(body),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/article/{id}",
    auth: "admin",
    tag: "Articles",
    summary: bilingual("One article", "一篇文章"),
    request: { path: idPath },
    response: article,
    errors: ["article_not_found"],
    calls: "get_article",
    args: ({ path }) => ({ p_id: path.id }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/article/{id}",
    auth: "admin",
    tag: "Articles",
    summary: bilingual("Change the given fields of an article", "修改文章的指定字段"),
    request: { path: idPath, body: articleChange.openapi("ArticleChange") },
    response: article,
    errors: ["article_not_found"],
    calls: "set_article",
    args: ({ path, body }) => ({ p_id: path.id, ...argsOf(body) }),
  }),
  defineRoute({
    method: "delete",
    path: "/adminapi/article/{id}",
    auth: "admin",
    tag: "Articles",
    summary: bilingual("Mark an article as deleted", "删除文章"),
    request: { path: idPath },
    response: z.strictObject({ id, is_del: z.literal(1) }),
    errors: ["article_not_found"],
    calls: "delete_article",
    args: ({ path }) => ({ p_id: path.id }),
  }),
] as const;
