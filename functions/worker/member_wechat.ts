import { z } from "@hono/zod-openapi";
import { noticeText } from "../_shared/notices/notice_texts.ts";
import { readMiniProgram } from "../_shared/wechat/mini_program_code.ts";
import { sendSubscribeMessage } from "../_shared/wechat/subscribe_message.ts";
import { beginMessage, memberMessage } from "./member_message.ts";
import type { Work } from "./work.ts";

const subscribeMessage = memberMessage.extend({
  openid: z.string(),
  template_id: z.string(),
  data: z.record(z.string(), z.string()),
});

/**
 * Sends a notice to a member as a subscribe message of the mini program. Whatever may have been sent is not sent again.
 */
export const sendMemberWechat: Work = async (payload, { database, env }) => {
  const program = readMiniProgram(env);
  if (!program) throw new Error("no mini program is configured");
  const begun = await beginMessage(subscribeMessage, database, "member_wechat", payload, program.appid);
  if (!begun) return "recorded";
  const { openid, template_id } = begun.message;
  const { result, problem } = await sendSubscribeMessage(program, database, {
    openid,
    template_id,
    data: fieldsOf(begun.message),
  });
  await begun.record(result, problem);
  if (result === "not_sent") throw new Error(problem);
  return "recorded";
};

/**
 * What WeChat accepts in a field, by the name of the field without its number. WeChat refuses a message with a longer
 * value.
 */
const FORMS: Record<string, (value: string) => string> = {
  thing: (value) => cut(value, 20),
  phrase: (value) => cut(value.replaceAll(/[^\p{Script=Han}]/gu, ""), 5),
  number: (value) => value.replaceAll(/[^\d.]/g, "").slice(0, 32),
  character_string: (value) => value.replaceAll(/[^\x21-\x7e]/g, "").slice(0, 32),
  amount: (value) => `¥${value}`,
};

const cut = (value: string, length: number) => [...value].slice(0, length).join("");

/** The fields of the template, in Chinese, which is the language of templates. */
function fieldsOf({ notice, site_name, time_zone, data }: z.output<typeof subscribeMessage>): Record<string, string> {
  const { payload, subject, name } = notice;
  const orderNo = subject === "order" ? name : null;
  const parts: Record<string, string> = {
    // A sentence has 20 characters, of which the number of an order would take most.
    ...noticeText({ ...notice, name: orderNo?.slice(-6) ?? name }, "zh"),
    number: orderNo ?? String(notice.subject_id),
    amount: payload.amount ?? payload.pay_price ?? payload.brokerage ?? "0.00",
    points: String(payload.points ?? 0),
    time: new Intl.DateTimeFormat("zh-CN", {
      dateStyle: "long",
      timeStyle: "short",
      hourCycle: "h23",
      timeZone: time_zone,
    }).format(new Date(notice.add_time)),
    site_name,
  };
  return Object.fromEntries(
    Object.entries(data).map(([field, part]) => {
      const form = FORMS[field.replace(/\d+$/, "")] ?? ((value: string) => value);
      return [field, form(parts[part] ?? "")];
    }),
  );
}
