import type { Database } from "../database/database.ts";
import { requestWithToken } from "./access_token.ts";
import { failureOf, readResponse, type WechatApp, type WechatResponse } from "./api.ts";

/** What WeChat suggests to do with a text or a picture. */
export const VERDICTS = ["pass", "review", "risky"] as const;
type Verdict = (typeof VERDICTS)[number];

/** What a user has written or uploaded: something about themselves, or something to the store. */
interface Content {
  openid: string;
  isProfile: boolean;
}

const DEADLINE_MS = 10_000;
/** What a content is, as WeChat numbers it. */
const PROFILE = 1;
const COMMENT = 2;
const PICTURE = 2;
/**
 * The error codes of users whose content WeChat does not check: it does not know them, or they have not opened the mini
 * program within two hours.
 */
const NOT_CHECKED = [40003, 61010];

/**
 * Sends a content to a check (docs/wechat_checks.md).
 * @returns undefined if WeChat does not check it.
 * @throws Error if it does not answer, or with an error
 */
async function send(
  program: WechatApp,
  database: Database,
  path: string,
  { openid, isProfile }: Content,
  fields: object,
): Promise<WechatResponse | undefined> {
  const body = { version: 2, scene: isProfile ? PROFILE : COMMENT, openid, ...fields };
  const response = readResponse(
    await requestWithToken(program, database, path, body, AbortSignal.timeout(DEADLINE_MS)),
  );
  if (NOT_CHECKED.includes(response.errcode ?? 0)) return undefined;
  if (response.errcode !== 0) throw failureOf("the check of a content", response);
  return response;
}

/**
 * Has WeChat check a text of a user. What it does not check passes.
 * @throws Error if it gives no answer that we know
 */
export async function checkText(
  program: WechatApp,
  database: Database,
  { text, ...content }: Content & { text: string },
): Promise<Verdict> {
  const response = await send(program, database, "/wxa/msg_sec_check", content, { content: text });
  if (!response) return "pass";
  const suggest = (response.result as { suggest?: unknown } | undefined)?.suggest;
  const verdict = VERDICTS.find((one) => one === suggest);
  if (!verdict) throw failureOf("the check of a text", response);
  return verdict;
}

/**
 * Asks WeChat to check a picture of a user, which it fetches by itself. The answer is a message of the mini program
 * (message_push.ts). @param url which WeChat can open
 * @returns by what the answer will name the picture; undefined if WeChat does not check it. @throws Error if it does
 * not answer, or with an error
 */
export async function askAboutPicture(
  program: WechatApp,
  database: Database,
  { url, ...content }: Content & { url: string },
): Promise<string | undefined> {
  const response = await send(program, database, "/wxa/media_check_async", content, {
    media_url: url,
    media_type: PICTURE,
  });
  if (!response) return undefined;
  const { trace_id } = response;
  if (typeof trace_id !== "string" || trace_id === "" || trace_id.length > 128)
    throw failureOf("the check of a picture", response);
  return trace_id;
}
