import type { Database } from "../../_shared/database.ts";
import type { Environment } from "../../_shared/env.ts";
import { pictureType } from "../../_shared/picture.ts";
import { readBytes } from "../../_shared/read_bytes.ts";

/** The mini program that the codes open. */
export interface MiniProgram {
  /** Identifies app, version and page. A code with another source is out of date. */
  source: string;
  appid: string;
  secret: string;
  /** The page that codes open. The default is the home page. */
  page: string | undefined;
  envVersion: string;
  apiUrl: string;
}

/** No code is available. The message is safe to log: errors of failed requests contain the access token and are not passed on. */
export class CodeUnavailable extends Error {}

/** Limits all requests together. After it, the poster gets a QR code instead. */
const DEADLINE_MS = 3000;
const MAX_BYTES = 300 * 1024;
/** WeChat's error codes for an invalid, replaced or expired access token. */
const TOKEN_REJECTED = [40001, 40014, 42001];

/** Reads the settings of the mini program. @returns undefined if none is configured. @throws Error if only one of the settings is set */
export function readMiniProgram(env: Environment): MiniProgram | undefined {
  const [appid, secret] = [env.get("STORE_WECHAT_MINI_APPID"), env.get("STORE_WECHAT_MINI_SECRET")];
  if (!appid && !secret) return undefined;
  if (!appid || !secret) throw new Error("Set both of STORE_WECHAT_MINI_APPID, STORE_WECHAT_MINI_SECRET, or none of them.");
  const page = env.get("STORE_WECHAT_MINI_PAGE") || undefined;
  const envVersion = env.get("STORE_WECHAT_MINI_VERSION") || "release";
  return {
    source: [appid, envVersion, page ?? ""].join(" "),
    appid,
    secret,
    page,
    envVersion,
    apiUrl: env.get("STORE_WECHAT_API_URL") || "https://api.weixin.qq.com",
  };
}

/** Fetches the mini-program code of a member's share link, a PNG or JPEG. @throws CodeUnavailable */
export async function fetchCode(program: MiniProgram, database: Database, uid: number): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const known = await savedToken(program, database);
  const token = known ?? await newToken(program, database, signal);
  const code = await requestCode(program, token, uid, signal);
  if (code) return code;
  // Another client may have requested a new token, which invalidates ours. Retry once with a new token.
  const retried = await requestCode(program, await newToken(program, database, signal, token), uid, signal);
  if (!retried) throw new CodeUnavailable("token refused twice");
  return retried;
}

async function savedToken({ appid }: MiniProgram, database: Database): Promise<string | undefined> {
  return (JSON.parse(await database.callAsService("get_wechat_token", { p_appid: appid })) as string | null) ?? undefined;
}

/** Requests a token other than the rejected one. WeChat returns the same token while it considers it valid, unless a refresh is forced. */
async function newToken(program: MiniProgram, database: Database, signal: AbortSignal, rejected?: string): Promise<string> {
  let fresh = await requestToken(program, false, signal);
  if (fresh.access_token === rejected) fresh = await requestToken(program, true, signal);
  await database.callAsService("save_wechat_token", {
    p_appid: program.appid,
    p_access_token: fresh.access_token,
    p_expires_in: fresh.expires_in,
  });
  return fresh.access_token;
}

async function requestToken({ appid, secret, apiUrl }: MiniProgram, force: boolean, signal: AbortSignal) {
  const body = { grant_type: "client_credential", appid, secret, force_refresh: force };
  const result = readJson(await post(`${apiUrl}/cgi-bin/stable_token`, body, signal)) as { access_token?: unknown; expires_in?: unknown; errcode?: number } | null;
  const { access_token, expires_in } = result ?? {};
  if (typeof access_token !== "string" || access_token.length > 1024 || !Number.isInteger(expires_in)) {
    throw new CodeUnavailable(`no access token: ${result?.errcode ?? "not understood"}`);
  }
  return { access_token, expires_in: Math.min(Math.max(expires_in as number, 0), 86_400) };
}

/** Requests a code. @returns undefined if the token was rejected */
async function requestCode({ apiUrl, page, envVersion }: MiniProgram, token: string, uid: number, signal: AbortSignal) {
  const body = { scene: `spread=${uid}`, page, env_version: envVersion, width: 430 };
  const bytes = await post(`${apiUrl}/wxa/getwxacodeunlimit?access_token=${encodeURIComponent(token)}`, body, signal);
  // Errors are JSON with status 200, so the content has to be checked.
  if (pictureType(bytes)) return bytes;
  const errcode = (readJson(bytes) as { errcode?: number } | null)?.errcode;
  if (TOKEN_REJECTED.includes(errcode ?? 0)) return undefined;
  throw new CodeUnavailable(`no picture: ${errcode ?? "not understood"}`);
}

async function post(url: string, body: unknown, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "error",
      signal,
    });
    const bytes = await readBytes(response, MAX_BYTES);
    if (response.ok) return bytes;
    throw new CodeUnavailable(`status ${response.status}`);
  } catch (error) {
    if (error instanceof CodeUnavailable) throw error;
    throw new CodeUnavailable(signal.aborted ? "timeout" : "connection failed");
  }
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
