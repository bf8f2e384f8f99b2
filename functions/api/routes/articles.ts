import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idPath, time } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const article = z
  .strictObject({
    id,
    cid: id,
    title: z.string(),
    author: z.string(),
    image_input: z.string(),
    synopsis: z.string(),
    content: z.string().openapi({ description: "HTML." }),
    url: z.string(),
    add_time: time,
  })
  .openapi("Article");

export const articleRoutes = [
  defineRoute({
    method: "get",
    path: "/api/sign/required_article",
    auth: "public",
    tag: "Sign-in",
    summary: bilingual("One random article to read before signing in", "登录前阅读的一篇随机文章"),
    description: bilingual(
      "Null if there is none. The client then shows the sign-in directly.",
      "没有时为 null，客户端直接显示登录。",
    ),
    response: z.union([article, z.null()]),
    calls: "get_required_article",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/article/{id}",
    auth: "public",
    tag: "Articles",
    summary: bilingual("One article that may be read", "一篇可阅读的文章"),
    request: { path: idPath },
    response: article,
    errors: ["article_not_found"],
    calls: "get_readable_article",
    standby: true,
  }),
] as const;
