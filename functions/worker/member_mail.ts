import { z } from "@hono/zod-openapi";
import { noticePlace, noticeText } from "../_shared/notices/notice_texts.ts";
import { AddressRefused, type Message, openMail } from "./mail.ts";
import { beginMessage, memberMessage } from "./member_message.ts";
import type { Work } from "./work.ts";

const mail = memberMessage.extend({ to: z.string() });

const CHOOSE = { en: "Choose which notices you get by email, or none:", zh: "选择或关闭邮件通知：" };

/** Sends a notice to a member by email. A repeated mail has the same id. */
export const sendMemberMail: Work = async (payload, { database, env }) => {
  const begun = await beginMessage(mail, database, "member_mail", payload);
  if (!begun) return "recorded";
  const server = openMail(env);
  if (!server) throw new Error("no mail server is configured");
  try {
    await server.send({
      id: `member-${payload.notice as string}-${payload.uid as number}`,
      to: begun.message.to,
      ...compose(begun.message),
    });
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    await begun.record("no_receiver");
    return "recorded";
  }
  await begun.record("sent");
  return "recorded";
};

function compose({ language, site_name, url, notice }: z.output<typeof mail>): Pick<Message, "subject" | "text"> {
  const { title, text } = noticeText(notice, language);
  return {
    subject: language === "zh" ? `${site_name}：${title}` : `${site_name}: ${title}`,
    text: `${text}\n${url}#${noticePlace(notice)}\n\n${CHOOSE[language]}\n${url}#/notices/choices\n`,
  };
}
