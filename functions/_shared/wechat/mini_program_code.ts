import type { Database } from "../database/database.ts";
import type { Environment } from "../ground/env.ts";
import { pictureType } from "../pictures/picture_type.ts";
import { requestWithToken } from "./access_token.ts";
import { failureOf, readResponse, readWechatApp, type WechatApp } from "./api.ts";

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

/**
 * Reads the settings of the mini program.
 * @returns undefined if none is configured.
 * @throws Error if only one of the settings is set
 */
export function readMiniProgram(env: Environment): MiniProgram | undefined {
  const app = readWechatApp(env, "MINI");
  if (!app) return undefined;
  const page = env.get("STORE_WECHAT_MINI_PAGE") || undefined;
  const envVersion = env.get("STORE_WECHAT_MINI_VERSION") || "release";
  return { ...app, source: [app.appid, envVersion, page ?? ""].join(" "), page, envVersion };
}

/** Fetches the mini-program code of a member's share link, a PNG or JPEG. @throws WechatFailure */
export async function fetchCode(program: MiniProgram, database: Database, uid: number): Promise<Uint8Array> {
  const body = { scene: `spread=${uid}`, page: program.page, env_version: program.envVersion, width: 430 };
  const bytes = await requestWithToken(
    program,
    database,
    "/wxa/getwxacodeunlimit",
    body,
    AbortSignal.timeout(DEADLINE_MS),
  );
  // Errors are JSON with status 200, so the content has to be checked.
  if (!pictureType(bytes)) throw failureOf("no picture", readResponse(bytes));
  return bytes;
}
