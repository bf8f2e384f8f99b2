import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idText } from "../../_shared/resources/schemas.ts";
import { findInviter } from "../posters/find_inviter.ts";
import { getPoster } from "../posters/get_poster.ts";

const poster = z
  .strictObject({
    kind: z
      .enum(["mini_program", "h5"])
      .openapi({ description: "What the code on the poster opens: h5 if no mini-program code is available." }),
    share_url: z.string().openapi({
      description:
        "The share link: <h5_share_url>?spread=<uid>; that of a product opens its page. A link with &share=<share code> also says who invites.",
    }),
    image_url: z
      .string()
      .openapi({ description: "The address of the poster, a public PNG that may be cached. It changes when the poster changes." }),
  })
  .openapi("Poster");

const inviter = z.strictObject({ uid: id, nickname: z.string() }).openapi("Inviter");

export const posterRoutes = [
  defineRoute({
    method: "get",
    path: "/api/spread/inviter",
    auth: "public",
    tag: "Sign-in",
    summary: "Who invites by a share link",
    description:
      "Null if there is no share link with this uid and share code, or if its member has left. A link without a share code names the referrer, too, but " +
      "nobody tells the name. Limited by the address of the caller.",
    request: {
      query: z.strictObject({
        uid: idText.openapi({ description: "The spread of the share link." }),
        code: z.uuid().openapi({ description: "The share of the share link." }),
      }),
    },
    response: z.union([inviter, z.null()]),
    errors: ["too_many_requests"],
    calls: "find_inviter",
    handler: findInviter,
  }),
  defineRoute({
    method: "get",
    path: "/api/spread/poster",
    auth: "user",
    tag: "Member",
    summary: "The member's share poster",
    description: "That of the store, or of a product. Administrators choose the design.",
    request: { query: z.strictObject({ product_id: idText.optional() }) },
    response: poster,
    errors: ["user_not_found", "product_not_found"],
    calls: "get_poster",
    handler: getPoster,
  }),
] as const;
