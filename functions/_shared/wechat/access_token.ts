import { z } from "@hono/zod-openapi";
import type { Database } from "../database/database.ts";
import { readResult } from "../database/result.ts";
import { failureOf, readResponse, requestBytes, requestJson, type WechatApp, WechatFailure } from "./api.ts";

/** There is no access token, so the request was not made. */
export class TokenFailure extends WechatFailure {}

/** WeChat's error codes for an invalid, replaced or expired access token. */
const TOKEN_REJECTED = [40001, 40014, 42001];

/**
 * Calls an API of WeChat that needs the access token of the app: a POST with `body`, or a GET without. All instances of
 * the edge functions share the token.
 * @returns the bytes of the response, which may be an error of WeChat (`errcode`) @throws WechatFailure, a TokenFailure
 * if nothing was requested
 */
export async function requestWithToken(
  app: WechatApp,
  database: Database,
  path: string,
  body: object | undefined,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const request = async (token: string) => {
    const url = new URL(`${app.apiUrl}${path}`);
    url.searchParams.set("access_token", token);
    const bytes = await requestBytes(url.href, signal, body);
    return TOKEN_REJECTED.includes(readResponse(bytes).errcode ?? 0) ? undefined : bytes;
  };
  const token = (await savedToken(app, database)) ?? (await newToken(app, database, signal));
  const response = await request(token);
  if (response) return response;
  // Another client may have requested a new token, which invalidates ours. Retry once with a new token.
  const retried = await request(await newToken(app, database, signal, token));
  if (!retried) throw new TokenFailure("token refused twice");
  return retried;
}

async function savedToken({ appid }: WechatApp, database: Database): Promise<string | undefined> {
  return (
    readResult(z.string().nullable(), await database.callAsService("get_wechat_token", { p_appid: appid })) ?? undefined
  );
}

/**
 * Requests a token other than the rejected one. WeChat returns the same token while it considers it valid, unless a
 * refresh is forced.
 */
async function newToken(app: WechatApp, database: Database, signal: AbortSignal, rejected?: string): Promise<string> {
  const request = (force: boolean) =>
    requestToken(app, force, signal).catch((error: unknown) => {
      throw error instanceof WechatFailure ? new TokenFailure(error.message, error.errcode) : error;
    });
  let fresh = await request(false);
  if (fresh.access_token === rejected) fresh = await request(true);
  await database.callAsService("save_wechat_token", {
    p_appid: app.appid,
    p_token: fresh.access_token,
    p_expires_in: fresh.expires_in,
  });
  return fresh.access_token;
}

async function requestToken({ appid, secret, apiUrl }: WechatApp, force: boolean, signal: AbortSignal) {
  const response = await requestJson(`${apiUrl}/cgi-bin/stable_token`, signal, {
    grant_type: "client_credential",
    appid,
    secret,
    force_refresh: force,
  });
  const { access_token, expires_in } = response;
  if (typeof access_token !== "string" || access_token.length > 1024 || !Number.isInteger(expires_in))
    throw failureOf("no access token", response);
  return { access_token, expires_in: Math.min(Math.max(expires_in as number, 0), 86_400) };
}
