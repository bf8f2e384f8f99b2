import { waitingPlaces } from "../_shared/notices/waiting_places.ts";
import { waitingWords, wordsIn } from "../_shared/words/words.ts";
import { type Message, openMail } from "./mail.ts";
import type { Work } from "./work.ts";

/** What `begin_notice` returns. */
interface Notice {
  to: string;
  language: "en" | "zh";
  site_name: string;
  list: { kind: keyof typeof waitingWords; count: number; is_more: boolean }[];
}

const TEXTS = {
  en: {
    subject: (site: string, sum: string) => `${site}: ${sum} waiting for you`,
    colon: ": ",
    end: "Choose which notices you get, or none:",
  },
  zh: { subject: (site: string, sum: string) => `${site}：${sum} 项待处理`, colon: "：", end: "选择或关闭邮件提醒：" },
};

/** Sends a notice of what waits for an administrator: counts and links. A repeated one has the same id. */
export const sendNotice: Work = async (payload, { database, env }) => {
  const notice_no = payload.notice_no as number;
  const notice = JSON.parse(await database.callAsService("begin_notice", { p_notice_no: notice_no })) as Notice | null;
  if (!notice) return "recorded";
  // Opened for each notice, so that a wrong setting of the mail server stops no refund and no transfer.
  const mail = openMail(env);
  if (!mail) throw new Error("no mail server is configured");
  await mail.send({ id: `notice-${notice_no}`, to: notice.to, ...compose(notice, mail.consoleUrl) });
  await database.callAsService("record_notice", { p_notice_no: notice_no });
  return "recorded";
};

function compose({ language, site_name, list }: Notice, consoleUrl: string): Pick<Message, "subject" | "text"> {
  const texts = TEXTS[language];
  const words = wordsIn(language, waitingWords);
  const write = (count: number, isMore: boolean) =>
    `${new Intl.NumberFormat(language).format(count)}${isMore ? "+" : ""}`;
  const sum = write(
    list.reduce((total, { count }) => total + count, 0),
    list.some(({ is_more }) => is_more),
  );
  const lines = list.map(
    ({ kind, count, is_more }) =>
      `${words[kind]}${texts.colon}${write(count, is_more)}\n${consoleUrl}/#${waitingPlaces[kind]}\n`,
  );
  return {
    subject: texts.subject(site_name, sum),
    text: `${lines.join("\n")}\n${texts.end}\n${consoleUrl}/#/notices\n`,
  };
}
