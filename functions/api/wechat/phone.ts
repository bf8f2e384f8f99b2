import { rejectKey } from "../../_shared/idempotency.ts";
import { Problem } from "../../_shared/problem.ts";
import { readInput } from "../../_shared/read_input.ts";
import { respondJson } from "../../_shared/respond.ts";
import type { Route, RouteHandler } from "../../_shared/route.ts";
import type { Service } from "../../_shared/service.ts";
import { isTokenRejected, withAccessToken } from "../../_shared/wechat/access_token.ts";
import { readWechatApp, type WechatApp } from "../../_shared/wechat/app.ts";
import { failureOf, requestJson } from "../../_shared/wechat/request.ts";
import { problemOfWechat } from "./failure.ts";

const DEADLINE_MS = 5000;

/** Stores the phone number that the member has shared with the mini program. WeChat is called between two database calls. */
export function takePhone({ database, env }: Service, route: Route): RouteHandler {
  const program = readWechatApp(env, "MINI");

  return async (c, claims) => {
    rejectKey(c);
    const { code } = (await readInput(c, route)).body as { code: string };
    if (!program) throw new Problem("wechat_app_not_configured");
    const { uid } = JSON.parse(await database.callAsCaller(claims, "get_me", {})) as { uid: number };
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const phone = await withAccessToken(program, database, signal, (token) => requestPhone(program, token, code, signal)).catch(
      (error: unknown) => {
        throw problemOfWechat(error);
      },
    );
    return respondJson(c, await database.callAsService("set_phone", { p_uid: uid, p_phone: phone }));
  };
}

/** Requests the number. @returns undefined if the token was rejected */
async function requestPhone({ apiUrl, appid }: WechatApp, token: string, code: string, signal: AbortSignal): Promise<string | undefined> {
  const response = await requestJson(`${apiUrl}/wxa/business/getuserphonenumber?access_token=${encodeURIComponent(token)}`, signal, {
    code,
  });
  if (isTokenRejected(response.errcode)) return undefined;
  const info = response.phone_info as { purePhoneNumber?: unknown; countryCode?: unknown; watermark?: { appid?: unknown } } | undefined;
  const number = `${String(info?.countryCode)}${String(info?.purePhoneNumber)}`;
  if (info?.watermark?.appid !== appid || !/^\d{5,20}$/.test(number)) throw failureOf("no phone number", response);
  return number;
}
