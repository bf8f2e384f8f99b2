import type { Environment } from "../ground/env.ts";
import { Problem } from "../responses/problem.ts";
import { failureOf, problemOfWechat, readWechatApp, requestJson, type WechatApp, type WechatResponse } from "./api.ts";

/** A user of one of the store's WeChat apps. */
export interface WechatUser {
  appid: string;
  openid: string;
  /** Only if the app belongs to an Open Platform account, and, on web pages, if the user agreed (`snsapi_userinfo`). */
  unionid: string | undefined;
}

/** An app in which members sign in, and how it exchanges a code. */
interface SignInApp extends WechatApp {
  exchange(code: string, signal: AbortSignal): Promise<WechatResponse>;
}

const DEADLINE_MS = 5000;
/** Ids of WeChat. Their case is significant. */
const ID = /^[\w-]{1,64}$/;

/** Returns the function that exchanges the code of a sign-in. @throws Error if the settings are incomplete */
export function createCodeExchange(env: Environment): (code: string, appid: string | undefined) => Promise<WechatUser> {
  const apps = [miniProgram(env), serviceAccount(env)].filter((app) => app !== undefined);

  return async (code, appid) => {
    const app = appid === undefined ? apps[0] : apps.find((each) => each.appid === appid);
    if (!app) throw new Problem("wechat_app_not_configured");
    const response = await app.exchange(code, AbortSignal.timeout(DEADLINE_MS)).catch((error: unknown) => {
      throw problemOfWechat(error);
    });
    // A success may lack an errcode, so the openid decides.
    const { openid, unionid, is_snapshotuser } = response;
    if (typeof openid !== "string" || !ID.test(openid)) throw problemOfWechat(failureOf("no openid", response));
    // WeChat shows a page that was not opened properly to a virtual user, who is another one each time.
    if (is_snapshotuser === 1) throw new Problem("wechat_user_virtual");
    return { appid: app.appid, openid, unionid: typeof unionid === "string" && ID.test(unionid) ? unionid : undefined };
  };
}

/** Codes of `wx.login`. The session_key in the response is not needed. */
function miniProgram(env: Environment): SignInApp | undefined {
  const app = readWechatApp(env, "MINI");
  return (
    app && {
      ...app,
      exchange: (code, signal) => requestJson(addressOf(app, "/sns/jscode2session", { js_code: code }), signal),
    }
  );
}

/** Codes that a web page in WeChat (H5) receives in its address. */
function serviceAccount(env: Environment): SignInApp | undefined {
  const app = readWechatApp(env, "H5");
  return (
    app && {
      ...app,
      exchange: (code, signal) => requestJson(addressOf(app, "/sns/oauth2/access_token", { code }), signal),
    }
  );
}

function addressOf({ apiUrl, appid, secret }: WechatApp, path: string, code: Record<string, string>): string {
  return `${apiUrl}${path}?${new URLSearchParams({ appid, secret, ...code, grant_type: "authorization_code" })}`;
}
