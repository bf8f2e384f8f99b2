import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, nickname, text, webAddress } from "../../_shared/resources/schemas.ts";
import { confirmMessages, receiveMessages } from "../wechat/message.ts";
import { takePhone } from "../wechat/phone.ts";
import { signPage } from "../wechat/signature.ts";
import { signInWithWechat } from "../wechat/sign_in.ts";

const code = text(1, 256);

const session = z
  .strictObject({
    access_token: z.string(),
    refresh_token: z.string(),
    expires_in: z.int().openapi({ description: "Seconds until the access token expires." }),
    token_type: z.string(),
    uid: id,
    is_new: z.boolean().openapi({ description: "Whether this sign-in created the account." }),
    spread_bound: z.boolean().openapi({ description: "Whether the member that spread names is the referrer of this member." }),
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
    summary: "Sign a page of the store for the JS-SDK of WeChat",
    description: "The parameters of wx.config, with which a page in WeChat sets the card that WeChat shows when the page is shared.",
    request: {
      query: z.strictObject({
        url: webAddress(2000)
          .refine((value) => !value.includes("#"), "Leave out the part behind #.")
          .openapi({
            example: "http://127.0.0.1:54321/h5/",
            description: "The address of the page without the part behind #. It begins like the share link URL of the store.",
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
    summary: "Confirm the address for messages of the mini program",
    description: "WeChat asks when the address is entered: the signature is over token, timestamp and nonce, and the answer is echostr.",
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
    summary: "Receive a message of WeChat for the mini program",
    description:
      "Encrypted JSON (secure mode), whose msg_signature authenticates the sender. What WeChat says of pictures is recorded; repeated and other messages have no effect.",
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
    summary: "Sign in with WeChat",
    description:
      "Exchanges the code of wx.login, or of a web page in WeChat, for a session of Supabase Auth. The first sign-in creates the " +
      "account; later ones ignore spread, nickname and avatar. Get a new code for every attempt: codes work once. Idempotency-Key is rejected.",
    request: {
      body: z.strictObject({
        code,
        appid: text(1, 64).optional().openapi({ description: "The app that the code comes from. The default is the mini program." }),
        spread: z.union([z.string(), z.number()]).optional().openapi({
          description: "The spread of a share link. One that names no member is ignored; see spread_bound.",
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
    summary: "Store the member's phone number from WeChat",
    description:
      "The code is that of a button with open-type getPhoneNumber. The number is for contact; it does not become a way to sign in. " +
      "Idempotency-Key is rejected.",
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
