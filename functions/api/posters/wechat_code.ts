import type { Database } from "../../_shared/database/database.ts";
import type { Environment } from "../../_shared/env.ts";
import { pictureType } from "../../_shared/picture.ts";
import { isTokenRejected, withAccessToken } from "../../_shared/wechat/access_token.ts";
import { readWechatApp, type WechatApp } from "../../_shared/wechat/app.ts";
import { failureOf, readResponse, requestBytes } from "../../_shared/wechat/request.ts";

/** The mini program that the codes open. */
export interface MiniProgram extends WechatApp {
  /** Identifies app, version and page. A code with another source is out of date. */
  source: string;
  /** The page that codes open. The default is the home page. */
  page: string | undefined;
  envVersion: string;
}

/** Limits all requests together. After it, the poster gets a QR code instead. */
const DEADLINE_MS = 3000;

/** Reads the settings of the mini program. @returns undefined if none is configured. @throws Error if only one of the settings is set */
export function readMiniProgram(env: Environment): MiniProgram | undefined {
  const app = readWechatApp(env, "MINI");
  if (!app) return undefined;
  const page = env.get("STORE_WECHAT_MINI_PAGE") || undefined;
  const envVersion = env.get("STORE_WECHAT_MINI_VERSION") || "release";
  return { ...app, source: [app.appid, envVersion, page ?? ""].join(" "), page, envVersion };
}

/** Fetches the mini-program code of a member's share link, a PNG or JPEG. @throws WechatFailure */
export function fetchCode(program: MiniProgram, database: Database, uid: number): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  return withAccessToken(program, database, signal, (token) => requestCode(program, token, uid, signal));
}

/** Requests a code. @returns undefined if the token was rejected */
async function requestCode({ apiUrl, page, envVersion }: MiniProgram, token: string, uid: number, signal: AbortSignal) {
  const body = { scene: `spread=${uid}`, page, env_version: envVersion, width: 430 };
  const bytes = await requestBytes(`${apiUrl}/wxa/getwxacodeunlimit?access_token=${encodeURIComponent(token)}`, signal, body);
  // Errors are JSON with status 200, so the content has to be checked.
  if (pictureType(bytes)) return bytes;
  const response = readResponse(bytes);
  if (isTokenRejected(response.errcode)) return undefined;
  throw failureOf("no picture", response);
}
