import type { Database } from "../../_shared/database.ts";
import type { Environment } from "../../_shared/env.ts";
import { pictureType } from "../../_shared/picture.ts";
import { readBytes } from "../../_shared/read_bytes.ts";

/** The mini program that codes open. */
export interface MiniProgram {
  /** Names app and page: a code of another one is out of date. */
  source: string;
  appid: string;
  secret: string;
  /** Without one, codes open the home page. */
  page: string | undefined;
  envVersion: string;
  apiUrl: string;
}

/** Why there is no code, in a word for the log: what a failed request says of itself holds the access token. */
export class NoCode extends Error {}

/** For everything together, so that nobody waits longer for the QR code that takes the place of this one. */
const DEADLINE_MS = 3000;
const MOST_BYTES = 300 * 1024;
/** WeChat's words for an access token that is wrong, not its own any more, or expired. */
const TOKEN_REFUSED = [40001, 40014, 42001];

/** Reads which mini program to make codes of; undefined where none is set. @throws with what to set where half of it is */
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

/** Fetches the mini-program code of a member's share link: a PNG or JPEG. @throws NoCode */
export async function fetchCode(program: MiniProgram, database: Database, uid: number): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const known = await savedToken(program, database);
  const token = known ?? await newToken(program, database, signal);
  const code = await askForCode(program, token, uid, signal);
  if (code) return code;
  // Somebody else may have had a new token made, which ends the one we have. Once more, and no more.
  const again = await askForCode(program, await newToken(program, database, signal, token), uid, signal);
  if (!again) throw new NoCode("token refused twice");
  return again;
}

async function savedToken({ appid }: MiniProgram, database: Database): Promise<string | undefined> {
  return (JSON.parse(await database.callAsService("get_wechat_token", { p_appid: appid })) as string | null) ?? undefined;
}

/** A token that is not the one which was refused: WeChat gives the same one for as long as it believes in it. */
async function newToken(program: MiniProgram, database: Database, signal: AbortSignal, refused?: string): Promise<string> {
  let fresh = await askForToken(program, false, signal);
  if (fresh.access_token === refused) fresh = await askForToken(program, true, signal);
  await database.callAsService("save_wechat_token", {
    p_appid: program.appid,
    p_access_token: fresh.access_token,
    p_expires_in: fresh.expires_in,
  });
  return fresh.access_token;
}

async function askForToken({ appid, secret, apiUrl }: MiniProgram, force: boolean, signal: AbortSignal) {
  const body = { grant_type: "client_credential", appid, secret, force_refresh: force };
  const answer = readJson(await post(`${apiUrl}/cgi-bin/stable_token`, body, signal)) as { access_token?: unknown; expires_in?: unknown; errcode?: number } | null;
  const { access_token, expires_in } = answer ?? {};
  if (typeof access_token !== "string" || access_token.length > 1024 || !Number.isInteger(expires_in)) {
    throw new NoCode(`no access token: ${answer?.errcode ?? "not understood"}`);
  }
  return { access_token, expires_in: Math.min(Math.max(expires_in as number, 0), 86_400) };
}

/** The code, or undefined where the token was refused. */
async function askForCode({ apiUrl, page, envVersion }: MiniProgram, token: string, uid: number, signal: AbortSignal) {
  const body = { scene: `spread=${uid}`, page, env_version: envVersion, width: 430 };
  const bytes = await post(`${apiUrl}/wxa/getwxacodeunlimit?access_token=${encodeURIComponent(token)}`, body, signal);
  // Refusals are JSON with status 200, so only a picture is a picture.
  if (pictureType(bytes)) return bytes;
  const errcode = (readJson(bytes) as { errcode?: number } | null)?.errcode;
  if (TOKEN_REFUSED.includes(errcode ?? 0)) return undefined;
  throw new NoCode(`no picture: ${errcode ?? "not understood"}`);
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
    const bytes = await readBytes(response, MOST_BYTES);
    if (response.ok) return bytes;
    throw new NoCode(`status ${response.status}`);
  } catch (error) {
    if (error instanceof NoCode) throw error;
    throw new NoCode(signal.aborted ? "timeout" : "connection failed");
  }
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
