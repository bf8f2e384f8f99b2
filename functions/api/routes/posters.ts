import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idText } from "../../_shared/resources/schemas.ts";
import { findInviter } from "../posters/find_inviter.ts";
import { getPoster } from "../posters/get_poster.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const poster = z
  .strictObject({
    kind: z.enum(["mini_program", "h5"]).openapi({
      description: bilingual(
        "What the code on the poster opens: h5 if no mini-program code is available.",
        "海报上的码打开的页面：无法生成小程序码时为 h5。",
      ),
    }),
    share_url: z.string().openapi({
      description: bilingual(
        "The share link: <h5_share_url>?spread=<uid>; that of a product opens its page. A link with &share=<share code> also says who invites.",
        "分享链接：<h5_share_url>?spread=<uid>，商品的分享链接打开该商品。加上 &share=<share code> 的链接还会显示邀请人。",
      ),
    }),
    image_url: z.string().openapi({
      description: bilingual(
        "The address of the poster, a public PNG that may be cached. It changes when the poster changes.",
        "海报的地址，为可缓存的公开 PNG；海报变化时地址随之改变。",
      ),
    }),
  })
  .openapi("Poster");

const inviter = z.strictObject({ uid: id, nickname: z.string() }).openapi("Inviter");

export const posterRoutes = [
  defineRoute({
    method: "get",
    path: "/api/spread/inviter",
    auth: "public",
    tag: "Sign-in",
    summary: bilingual("Who invites by a share link", "分享链接的邀请人"),
    description: bilingual(
      "Null if there is no share link with this uid and share code, or if its member has left. A link without a share code names the referrer, too, but " +
        "nobody tells the name. Limited by the address of the caller.",
      "没有该 uid 与分享码的链接，或其会员已注销时为 null。没有分享码的链接同样指定推荐人，但不显示姓名。按调用方地址限制次数。",
    ),
    request: {
      query: z.strictObject({
        uid: idText.openapi({ description: bilingual("The spread of the share link.", "分享链接中的 spread。") }),
        code: z.uuid().openapi({ description: bilingual("The share of the share link.", "分享链接中的 share。") }),
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
    summary: bilingual("The member's share poster", "会员的分享海报"),
    description: bilingual(
      "That of the store, or of a product. Administrators choose the design.",
      "商城或某商品的海报。样式由管理员选择。",
    ),
    request: { query: z.strictObject({ product_id: idText.optional() }) },
    response: poster,
    errors: ["user_not_found", "product_not_found"],
    calls: "get_poster",
    handler: getPoster,
  }),
] as const;
