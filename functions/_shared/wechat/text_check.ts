import type { Database } from "../database/database.ts";
import { requestWithToken } from "./access_token.ts";
import { failureOf, readResponse, type WechatApp } from "./api.ts";

const VERDICTS = ["pass", "review", "risky"] as const;
type Verdict = (typeof VERDICTS)[number];

const DEADLINE_MS = 10_000;
/** What a text is, as WeChat numbers it. */
const PROFILE = 1;
const COMMENT = 2;
/** The error codes of users whose texts WeChat does not check: it does not know them, or they have not opened the mini program within two hours. */
const NOT_CHECKED = [40003, 61010];

/** Has WeChat check a text of a user (docs/wechat_checks.md). What it does not check passes. @throws Error if it gives no answer that we know */
export async function checkText(
  program: WechatApp,
  database: Database,
  { openid, text, isProfile }: { openid: string; text: string; isProfile: boolean },
): Promise<Verdict> {
  const body = { version: 2, scene: isProfile ? PROFILE : COMMENT, openid, content: text };
  const response = readResponse(await requestWithToken(program, database, "/wxa/msg_sec_check", body, AbortSignal.timeout(DEADLINE_MS)));
  if (NOT_CHECKED.includes(response.errcode ?? 0)) return "pass";
  const suggest = (response.result as { suggest?: unknown } | undefined)?.suggest;
  const verdict = VERDICTS.find((one) => one === suggest);
  if (response.errcode !== 0 || !verdict) throw failureOf("the check of a text", response);
  return verdict;
}
