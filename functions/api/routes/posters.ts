import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/route.ts";
import { answerPoster } from "../posters/answer_poster.ts";

const poster = z.strictObject({
  kind: z.enum(["mini_program", "h5"]).openapi({ description: "What the code on it opens; h5 where no mini-program code could be had." }),
  share_url: z.string().openapi({ description: "The H5 share link: <h5_share_url>?spread=<uid>." }),
  image_url: z.string().openapi({ description: "The poster, a PNG that anybody may see and cache; another one when something on it changes." }),
}).openapi("Poster");

export const posterRoutes = [
  defineRoute({
    method: "get",
    path: "/api/spread/poster",
    auth: "user",
    tag: "Member",
    summary: "The member's share poster",
    answer: poster,
    errors: ["user_not_found"],
    calls: "get_poster",
    handler: answerPoster,
  }),
] as const;
