import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idPath, time } from "../../_shared/resources/schemas.ts";

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
    summary: "One random article to read before signing in",
    description: "Null if there is none. The client then shows the sign-in directly.",
    response: z.union([article, z.null()]),
    calls: "get_required_article",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/api/article/{id}",
    auth: "public",
    tag: "Articles",
    summary: "One article that may be read",
    request: { path: idPath },
    response: article,
    errors: ["article_not_found"],
    calls: "get_readable_article",
    standby: true,
  }),
] as const;
