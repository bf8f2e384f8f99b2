import type { Database } from "../database/database.ts";
import { log } from "../ground/log.ts";
import { requestWithToken, TokenFailure } from "./access_token.ts";
import { readResponse, WechatFailure } from "./api.ts";
import type { MiniProgram } from "./mini_program_code.ts";

/** A subscribe message of the mini program (docs/wechat_messages.md). */
interface SubscribeMessage {
  openid: string;
  template_id: string;
  data: Record<string, string>;
}

/** How sending a message ended (app.record_message). */
export type MessageResult = "sent" | "unknown" | "not_sent" | "no_consent" | "no_template" | "no_receiver";

const DEADLINE_MS = 10_000;

/**
 * What the error codes of WeChat mean for the message. Any other one says that something is wrong that nobody foresaw:
 * it is not repeated.
 */
const RESULTS: Record<number, MessageResult> = {
  0: "sent",
  [-1]: "not_sent", // busy
  45009: "not_sent", // the most calls of a day
  45011: "not_sent", // the most calls of a minute
  43108: "not_sent", // another message to this user is being sent
  43101: "no_consent",
  43107: "no_template", // the mini program may send no messages
  40037: "no_template",
  41030: "no_template", // there is no such page
  47003: "no_template", // a field is missing, or has a value that does not fit
  40003: "no_receiver",
};

const STATES: Record<string, string> = { develop: "developer", trial: "trial", release: "formal" };

/**
 * Sends a message, once. A response that is lost leaves it unknown whether WeChat has shown the message, and WeChat
 * would show a repeated one again.
 */
export async function sendSubscribeMessage(
  program: MiniProgram,
  database: Database,
  { openid, template_id, data }: SubscribeMessage,
): Promise<{ result: MessageResult; problem: string }> {
  const body = {
    touser: openid,
    template_id,
    page: program.page,
    data: Object.fromEntries(Object.entries(data).map(([field, value]) => [field, { value }])),
    miniprogram_state: STATES[program.envVersion] ?? "formal",
    lang: "zh_CN",
  };
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const { errcode, errmsg } = readResponse(
      await requestWithToken(program, database, "/cgi-bin/message/subscribe/send", body, signal),
    );
    const result = RESULTS[errcode ?? NaN] ?? "unknown";
    // The message of this error names the field.
    const problem = `WeChat answered with ${errcode ?? "no code"}${errcode === 47003 ? `: ${String(errmsg)}` : ""}`;
    if (result === "unknown") log("warning", "subscribe message", { problem });
    return { result, problem };
  } catch (error) {
    if (!(error instanceof WechatFailure)) throw error;
    if (error instanceof TokenFailure)
      return { result: "not_sent", problem: `WeChat gave no access token (${error.message})` };
    log("warning", "subscribe message", { problem: error.message });
    return { result: "unknown", problem: error.message };
  }
}
