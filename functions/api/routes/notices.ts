import { z } from "@hono/zod-openapi";
import { consent, notice, noticeTopic, unread } from "../../_shared/resources/notices.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { integerText, text } from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const cursor = text(1, 64).openapi({ example: "1_7305_120" });
const unreadNotices = z.strictObject(unread).openapi("UnreadNotices");

const topics = z.array(noticeTopic).max(10);
const choices = {
  inbox: topics.openapi({ description: bilingual("What the inbox shows.", "站内通知显示的内容。") }),
  email: topics.openapi({ description: bilingual("What also comes by email.", "同时以邮件发送的内容。") }),
  wechat: topics.openapi({
    description: bilingual(
      "What also comes as a message of the mini program, as often as the member has agreed to it.",
      "同时以小程序消息发送的内容，次数以会员的订阅授权为限。",
    ),
  }),
  language: z.enum(VALUE_LISTS["inboxes.language"]).openapi({ description: bilingual("Of mails.", "邮件的语言。") }),
};
const noticeChoices = z
  .strictObject({
    ...choices,
    address: z
      .string()
      .nullable()
      .openapi({
        description: bilingual(
          "To which mails go. Null: the member has none that takes mails.",
          "接收邮件的地址。会员没有可接收邮件的地址时为 null。",
        ),
      }),
    is_mail_set_up: z
      .boolean()
      .openapi({ description: "Whether the store has a mail server. Without one, no mail is sent." }),
    templates: z.array(consent).openapi({
      description: bilingual(
        "The templates for wx.requestSubscribeMessage.",
        "wx.requestSubscribeMessage 使用的模板。",
      ),
    }),
  })
  .openapi("NoticeChoices");

export const noticeRoutes = [
  defineRoute({
    method: "get",
    path: "/api/notice",
    auth: "user",
    tag: "Notices",
    summary: bilingual("What happened to the member within 90 days, newest first", "会员近 90 天的通知，最新的在前"),
    description: bilingual(
      "What the member did is left out: they know it. `functions/_shared/notices/notice_texts.ts` has the words for each type in both languages.",
      "不含会员自己的操作。`functions/_shared/notices/notice_texts.ts` 有各类型的中英文文案。",
    ),
    request: {
      query: z.strictObject({
        cursor: cursor.optional().openapi({ description: "next_cursor of the previous page." }),
        limit: integerText(1, 100).optional().openapi({ default: 20 }),
      }),
    },
    response: z.strictObject({
      list: z.array(notice),
      next_cursor: z.string().nullable(),
      seen: z.string().openapi({
        description: bilingual(
          "Names what this response could show. PUT /api/notice/read marks that as read, and nothing that came later.",
          "标识此响应所能显示的通知。PUT /api/notice/read 将其标为已读，之后的不受影响。",
        ),
        example: "1_7300:7306:7301",
      }),
      ...unread,
    }),
    calls: "get_notices",
  }),
  defineRoute({
    method: "get",
    path: "/api/notice/unread",
    auth: "user",
    tag: "Notices",
    summary: bilingual("How many notices the member has not read", "会员的未读通知数"),
    description: bilingual("For a badge. Ask at most once in a minute.", "用于角标，每分钟至多请求一次。"),
    response: unreadNotices,
    calls: "get_unread_notices",
    revalidates: true,
  }),
  defineRoute({
    method: "put",
    path: "/api/notice/read",
    auth: "user",
    tag: "Notices",
    summary: bilingual("Mark all notices as read that the member had before them", "将会员已看到的全部通知标记为已读"),
    request: {
      body: z.strictObject({
        seen: text(1, 20_000).openapi({ description: bilingual("Of the first page of the list.", "列表第一页的值。") }),
      }),
    },
    response: unreadNotices,
    calls: "read_notices",
  }),
  defineRoute({
    method: "put",
    path: "/api/notice/{id}/read",
    auth: "user",
    tag: "Notices",
    summary: bilingual("Mark a notice as read", "将一条通知标记为已读"),
    request: { path: z.strictObject({ id: cursor }) },
    response: unreadNotices,
    errors: ["notice_not_found"],
    calls: "read_notice",
  }),
  defineRoute({
    method: "get",
    path: "/api/notice/choices",
    auth: "user",
    tag: "Notices",
    summary: bilingual("Which notices the member sees where", "会员在何处接收哪些通知"),
    response: noticeChoices,
    calls: "get_notice_choices",
  }),
  defineRoute({
    method: "put",
    path: "/api/notice/choices",
    auth: "user",
    tag: "Notices",
    summary: bilingual("Choose which notices are seen where", "选择在何处接收哪些通知"),
    description: bilingual("By topic: in the inbox, by email, by WeChat.", "按通知类别：站内通知、邮件、微信。"),
    request: { body: z.strictObject(choices) },
    response: noticeChoices,
    calls: "set_notice_choices",
  }),
  defineRoute({
    method: "post",
    path: "/api/notice/consent",
    auth: "user",
    tag: "Notices",
    summary: bilingual(
      "Count the consents that the member has just given to messages of WeChat",
      "记录会员刚刚给出的微信消息订阅授权",
    ),
    description: bilingual(
      "The result of wx.requestSubscribeMessage. Each accepted template is one message. Send an Idempotency-Key: a repeated request would count again.",
      "wx.requestSubscribeMessage 的结果。每个同意的模板对应一条消息。请附带 Idempotency-Key，否则重复请求会重复计数。",
    ),
    request: {
      body: z.strictObject({
        answers: z.record(z.string().max(64), z.enum(["accept", "reject", "ban", "filter"])).openapi({
          description: bilingual("By template.", "按模板。"),
          example: { "zun-LzcQyW-edafCVvzPkK4de2Rllr1fFpw2A_x0oXE": "accept" },
        }),
      }),
    },
    response: noticeChoices,
    calls: "add_consents",
  }),
] as const;
