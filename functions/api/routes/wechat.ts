import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, nickname, text, webAddress } from "../../_shared/resources/schemas.ts";
import { confirmMessages, receiveMessages } from "../wechat/message.ts";
import { takePhone } from "../wechat/phone.ts";
import { signPage } from "../wechat/signature.ts";
import { signInWithWechat } from "../wechat/sign_in.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const code = text(1, 256);

const session = z
  .strictObject({
    access_token: z.string(),
    refresh_token: z.string(),
    expires_in: z
      .int()
      .openapi({ description: bilingual("Seconds until the access token expires.", "访问令牌还有多少秒到期。") }),
    token_type: z.string(),
    uid: id,
    is_new: z
      .boolean()
      .openapi({ description: bilingual("Whether this sign-in created the account.", "此次登录是否创建了账号。") }),
    spread_bound: z.boolean().openapi({
      description: bilingual(
        "Whether the member that spread names is the referrer of this member.",
        "spread 指定的会员是否为该会员的推荐人。",
      ),
    }),
  })
  .openapi("WechatSession");

const pageSignature = z
  .strictObject({ app_id: z.string(), timestamp: z.int(), nonce_str: z.string(), signature: z.string() })
  .openapi("PageSignature");

/** What WeChat signs. It adds further parameters. */
const messageQuery = z.looseObject({
  signature: z.string().optional().openapi({ example: "f464b24fc39322e44b38aa78f5edd27bd1441696" }),
  msg_signature: z.string().optional().openapi({ example: "046e02f8204d34f8ba5fa3b1db94908f3df2e9b3" }),
  timestamp: z.string().openapi({ example: "1714036504" }),
  nonce: z.string().openapi({ example: "1514711492" }),
  echostr: z.string().optional().openapi({ example: "4375120948345356249" }),
});

export const wechatRoutes = [
  defineRoute({
    method: "get",
    path: "/api/wechat/signature",
    auth: "public",
    tag: "System",
    summary: bilingual("Sign a page of the store for the JS-SDK of WeChat", "为微信 JS-SDK 签名商城页面"),
    description: bilingual(
      "The parameters of wx.config, with which a page in WeChat sets the card that WeChat shows when the page is shared.",
      "wx.config 的参数；微信内的页面据此设置分享卡片。",
    ),
    request: {
      query: z.strictObject({
        url: webAddress(2000)
          .refine((value) => !value.includes("#"), "Leave out the part behind #.")
          .openapi({
            example: "http://127.0.0.1:54321/h5/",
            description: bilingual(
              "The address of the page without the part behind #. It begins like the share link URL of the store.",
              "网页的地址，不含 # 之后的部分；域名须与商城的分享链接地址一致。",
            ),
          }),
      }),
    },
    response: pageSignature,
    errors: ["wechat_app_not_configured", "wechat_unavailable"],
    calls: "claim_wechat_ticket",
    handler: signPage,
  }),
  defineRoute({
    method: "get",
    path: "/api/wechat/message",
    auth: "public",
    tag: "System",
    summary: bilingual("Confirm the address for messages of the mini program", "验证小程序消息推送的地址"),
    description: bilingual(
      "WeChat asks when the address is entered: the signature is over token, timestamp and nonce, and the answer is echostr.",
      "填写地址时由微信请求：对 token、timestamp 与 nonce 签名，返回 echostr。",
    ),
    request: { query: messageQuery },
    response: z.string(),
    media: "text/plain",
    errors: ["signature_invalid"],
    calls: "record_picture_check",
    handler: confirmMessages,
  }),
  defineRoute({
    method: "post",
    path: "/api/wechat/message",
    auth: "public",
    tag: "System",
    summary: bilingual("Receive a message of WeChat for the mini program", "接收微信推送给小程序的消息"),
    description: bilingual(
      "Encrypted JSON (secure mode), whose msg_signature authenticates the sender. What WeChat says of pictures is recorded; repeated and other messages have no effect.",
      "加密的 JSON（安全模式），以 msg_signature 验证发送方。记录微信对图片的审核结果；重复及其他消息不产生影响。",
    ),
    request: { query: messageQuery, body: z.looseObject({}) },
    response: z.string(),
    media: "text/plain",
    errors: ["signature_invalid"],
    calls: "record_picture_check",
    handler: receiveMessages,
  }),
  defineRoute({
    method: "post",
    path: "/api/auth/wechat",
    auth: "public",
    tag: "Member",
    summary: bilingual("Sign in with WeChat", "微信登录"),
    description: bilingual(
      "Exchanges the code of wx.login, or of a web page in WeChat, for a session of Supabase Auth. The first sign-in creates the " +
        "account; later ones ignore spread, nickname and avatar. Get a new code for every attempt: codes work once. Idempotency-Key is rejected.",
      "用 wx.login 或微信网页授权的 code 换取 Supabase Auth 会话。首次登录创建账号；之后忽略 spread、nickname 与 avatar。code 仅可使用一次，每次请重新获取。不接受 Idempotency-Key。",
    ),
    request: {
      body: z.strictObject({
        code,
        appid: text(1, 64)
          .optional()
          .openapi({
            description: bilingual(
              "The app that the code comes from. The default is the mini program.",
              "code 所属的应用，默认为小程序。",
            ),
          }),
        spread: z
          .union([z.string(), z.number()])
          .optional()
          .openapi({
            description: bilingual(
              "The spread of a share link. One that names no member is ignored; see spread_bound.",
              "分享链接中的 spread。不对应任何会员的会被忽略，见 spread_bound。",
            ),
          }),
        nickname: nickname(64).optional(),
        avatar: z.union([webAddress(512), z.literal("")]).optional(),
      }),
    },
    response: session,
    errors: [
      "wechat_app_not_configured",
      "wechat_code_invalid",
      "wechat_user_refused",
      "wechat_user_virtual",
      "wechat_unavailable",
      "sign_in_too_often",
    ],
    calls: "close_wechat_sign_in",
    handler: signInWithWechat,
  }),
  defineRoute({
    method: "post",
    path: "/api/user/phone",
    auth: "user",
    tag: "Member",
    summary: bilingual("Store the member's phone number from WeChat", "保存会员在微信中的手机号"),
    description: bilingual(
      "The code is that of a button with open-type getPhoneNumber. The number is for contact; it does not become a way to sign in. " +
        "Idempotency-Key is rejected.",
      "code 来自 open-type 为 getPhoneNumber 的按钮。号码仅供联系，不作为登录方式。不接受 Idempotency-Key。",
    ),
    request: { body: z.strictObject({ code }) },
    response: z.strictObject({ uid: id, phone: z.string().openapi({ example: "8613800000000" }) }),
    errors: [
      "user_not_found",
      "wechat_app_not_configured",
      "wechat_code_invalid",
      "wechat_user_refused",
      "wechat_unavailable",
      "sign_in_too_often",
    ],
    calls: "set_phone",
    handler: takePhone,
  }),
] as const;
