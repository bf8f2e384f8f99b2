import type { ErrorCode } from "../../_shared/error_registry.ts";
import { log } from "../../_shared/log.ts";
import { Problem } from "../../_shared/problem.ts";
import { WechatFailure } from "../../_shared/wechat/request.ts";

/** The error codes of WeChat that concern the client. All others concern the settings of the store, or WeChat itself. */
const PROBLEMS: Record<number, ErrorCode> = {
  40029: "wechat_code_invalid", // unknown, expired, or of another app
  40163: "wechat_code_invalid", // used
  41008: "wechat_code_invalid", // missing
  40226: "wechat_user_refused",
  45011: "sign_in_too_often",
};

/** The problem that a failure of WeChat is for the client. Failures that an operator must see are logged. @throws any other error */
export function problemOfWechat(error: unknown): Problem {
  if (!(error instanceof WechatFailure)) throw error;
  const code = PROBLEMS[error.errcode ?? 0];
  if (code) return new Problem(code, { cause: error });
  log("warning", "WeChat did not answer a request for a member", { reason: error.message });
  return new Problem("wechat_unavailable", { cause: error });
}
