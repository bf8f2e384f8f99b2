import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/route.ts";
import { getPoster } from "../posters/get_poster.ts";

const poster = z
  .strictObject({
    kind: z
      .enum(["mini_program", "h5"])
      .openapi({ description: "What the code on the poster opens: h5 if no mini-program code is available." }),
    share_url: z.string().openapi({ description: "The share link: <h5_share_url>?spread=<uid>." }),
    image_url: z
      .string()
      .openapi({ description: "The address of the poster, a public PNG that may be cached. It changes when the poster changes." }),
  })
  .openapi("Poster");

export const posterRoutes = [
  defineRoute({
    method: "get",
    path: "/api/spread/poster",
    auth: "user",
    tag: "Member",
    summary: "The member's share poster",
    response: poster,
    errors: ["user_not_found"],
    calls: "get_poster",
    handler: getPoster,
  }),
] as const;
