import { z } from "@hono/zod-openapi";
import { readResult } from "../_shared/database/result.ts";
import { readWechatApp } from "../_shared/wechat/api.ts";
import { checkText as askWechat } from "../_shared/wechat/content_check.ts";
import type { Work } from "./work.ts";

/** What `get_text_check` returns. */
const waiting = z.object({ openid: z.string(), text: z.string() }).nullable();

/** Has WeChat check a text of a member. The answer applies to this text only, whatever the member has written since. */
export const checkText: Work = async ({ subject, id, digest }, { database, env }) => {
  const program = readWechatApp(env, "MINI");
  if (!program) throw new Error("no mini program is configured");
  const which = { p_subject: subject as string, p_id: id as number, p_digest: digest as string };
  const found = readResult(
    waiting,
    await database.callAsService("get_text_check", { ...which, p_appid: program.appid }),
  );
  const verdict = found ? await askWechat(program, database, { ...found, isProfile: subject === "nickname" }) : "pass";
  await database.callAsService("record_text_check", { ...which, p_verdict: verdict });
  return "recorded";
};
