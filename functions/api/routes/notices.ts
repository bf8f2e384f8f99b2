import { z } from "@hono/zod-openapi";
import { consent, notice, noticeTopic, unread } from "../../_shared/resources/notices.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { integerText, text } from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";

const cursor = text(1, 64).openapi({ example: "1_7305_120" });
const unreadNotices = z.strictObject(unread).openapi("UnreadNotices");

const topics = z.array(noticeTopic).max(10);
const choices = {
  inbox: topics.openapi({ description: "What the inbox shows." }),
  email: topics.openapi({ description: "What also comes by email." }),
  wechat: topics.openapi({ description: "What also comes as a message of the mini program, as often as the member has agreed to it." }),
  language: z.enum(VALUE_LISTS["inboxes.language"]).openapi({ description: "Of mails." }),
};
const noticeChoices = z
  .strictObject({
    ...choices,
    address: z.string().nullable().openapi({ description: "To which mails go. Null: the member has none that takes mails." }),
    is_mail_set_up: z.boolean().openapi({ description: "Whether the store has a mail server. Without one, no mail is sent." }),
    templates: z.array(consent).openapi({ description: "The templates for wx.requestSubscribeMessage." }),
  })
  .openapi("NoticeChoices");

export const noticeRoutes = [
  defineRoute({
    method: "get",
    path: "/api/notice",
    auth: "user",
    tag: "Notices",
    summary: "What happened to the member within 90 days, newest first",
    description:
      "What the member did is left out: they know it. `functions/_shared/notices/notice_texts.ts` has the words for each type in both languages.",
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
        description: "Names what this response could show. PUT /api/notice/read marks that as read, and nothing that came later.",
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
    summary: "How many notices the member has not read",
    description: "For a badge. Ask at most once in a minute.",
    response: unreadNotices,
    calls: "get_unread_notices",
    revalidates: true,
  }),
  defineRoute({
    method: "put",
    path: "/api/notice/read",
    auth: "user",
    tag: "Notices",
    summary: "Mark all notices as read that the member had before them",
    request: { body: z.strictObject({ seen: text(1, 20_000).openapi({ description: "Of the first page of the list." }) }) },
    response: unreadNotices,
    calls: "read_notices",
  }),
  defineRoute({
    method: "put",
    path: "/api/notice/{id}/read",
    auth: "user",
    tag: "Notices",
    summary: "Mark a notice as read",
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
    summary: "Which notices the member sees where",
    response: noticeChoices,
    calls: "get_notice_choices",
  }),
  defineRoute({
    method: "put",
    path: "/api/notice/choices",
    auth: "user",
    tag: "Notices",
    summary: "Choose which notices are seen where",
    description: "By topic: in the inbox, by email, by WeChat.",
    request: { body: z.strictObject(choices) },
    response: noticeChoices,
    calls: "set_notice_choices",
  }),
  defineRoute({
    method: "post",
    path: "/api/notice/consent",
    auth: "user",
    tag: "Notices",
    summary: "Count the consents that the member has just given to messages of WeChat",
    description:
      "The result of wx.requestSubscribeMessage. Each accepted template is one message. Send an Idempotency-Key: a repeated request would count again.",
    request: {
      body: z.strictObject({
        answers: z
          .record(z.string().max(64), z.enum(["accept", "reject", "ban", "filter"]))
          .openapi({ description: "By template.", example: { "zun-LzcQyW-edafCVvzPkK4de2Rllr1fFpw2A_x0oXE": "accept" } }),
      }),
    },
    response: noticeChoices,
    calls: "add_consents",
  }),
] as const;
