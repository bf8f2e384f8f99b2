import type { Environment } from "../ground/env.ts";
import type { ErrorCode } from "../responses/error_registry.ts";
import { log } from "../ground/log.ts";
import { Problem } from "../responses/problem.ts";
import { readBytes } from "../ground/read_bytes.ts";

/** An app that is registered with WeChat: a mini program, or the service account of web pages in WeChat (H5). */
export interface WechatApp {
  appid: string;
  secret: string;
  /** The address of WeChat's API. */
  apiUrl: string;
}

/**
 * Reads the settings of an app.
 * @returns undefined if none is configured.
 * @throws Error if only one of the settings is set
 */
export function readWechatApp(env: Environment, kind: "MINI" | "H5"): WechatApp | undefined {
  const names = [`STORE_WECHAT_${kind}_APPID`, `STORE_WECHAT_${kind}_SECRET`] as const;
  const [appid, secret] = names.map((name) => env.get(name));
  if (!appid && !secret) return undefined;
  if (!appid || !secret) throw new Error(`Set both of ${names.join(", ")}, or none of them.`);
  return { appid, secret, apiUrl: env.get("STORE_WECHAT_API_URL") || "https://api.weixin.qq.com" };
}

/**
 * WeChat did not do what was asked. The message is safe to log: errors of failed requests contain the access token and
 * are not passed on.
 */
export class WechatFailure extends Error {
  /** @param errcode WeChat's error code, if it sent one */
  constructor(
    message: string,
    readonly errcode?: number,
  ) {
    super(message);
  }
}

const MAX_BYTES = 300 * 1024;

/**
 * Deno repeats a request by itself, also a POST, if a connection that it has kept breaks before the response. So none
 * is kept.
 */
const ONCE = { connection: "close" };

/**
 * Sends a request to WeChat's API, with `body` as JSON.
 * @returns the bytes of the response
 * @throws WechatFailure unless it has a success status
 */
export async function requestBytes(url: string, signal: AbortSignal, body?: unknown): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const response = await fetch(url, {
      redirect: "error",
      signal,
      headers: { ...ONCE, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    const bytes = await readBytes(response, MAX_BYTES);
    if (response.ok) return bytes;
    throw new WechatFailure(`status ${response.status}`);
  } catch (error) {
    if (error instanceof WechatFailure) throw error;
    throw new WechatFailure(signal.aborted ? "timeout" : "connection failed");
  }
}

/**
 * Sends a request whose response is JSON.
 * @returns the object, which may be an error of WeChat (`errcode`)
 * @throws WechatFailure
 */
export async function requestJson(url: string, signal: AbortSignal, body?: unknown): Promise<WechatResponse> {
  return readResponse(await requestBytes(url, signal, body));
}

/** A JSON object of WeChat. Errors have status 200 and an `errcode` other than 0. */
export type WechatResponse = { errcode?: number } & Record<string, unknown>;

/** Parses a response. @returns an empty object if it is not a JSON object */
export function readResponse(bytes: Uint8Array): WechatResponse {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null ? (value as WechatResponse) : {};
  } catch {
    return {};
  }
}

/** The failure that an unexpected response reports. */
export function failureOf(what: string, { errcode }: WechatResponse): WechatFailure {
  return new WechatFailure(
    `${what}: ${errcode ?? "not understood"}`,
    typeof errcode === "number" ? errcode : undefined,
  );
}

/**
 * The error codes of WeChat that concern the client. All others concern the settings of the store, or WeChat itself.
 */
const PROBLEMS: Record<number, ErrorCode> = {
  40029: "wechat_code_invalid", // unknown, expired, or of another app
  40163: "wechat_code_invalid", // used
  41008: "wechat_code_invalid", // missing
  40226: "wechat_user_refused",
  45011: "sign_in_too_often",
};

/**
 * The problem that a failure of WeChat is for the client. Failures that an operator must see are logged.
 * @throws any other error
 */
export function problemOfWechat(error: unknown): Problem {
  if (!(error instanceof WechatFailure)) throw error;
  const code = PROBLEMS[error.errcode ?? 0];
  if (code) return new Problem(code, { cause: error });
  log("warning", "WeChat did not answer a request for a member", { reason: error.message });
  return new Problem("wechat_unavailable", { cause: error });
}
