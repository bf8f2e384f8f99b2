import type { Environment } from "../env.ts";

/** An app that is registered with WeChat: a mini program, or the service account of web pages in WeChat (H5). */
export interface WechatApp {
  appid: string;
  secret: string;
  /** The address of WeChat's API. */
  apiUrl: string;
}

/** Reads the settings of an app. @returns undefined if none is configured. @throws Error if only one of the settings is set */
export function readWechatApp(env: Environment, kind: "MINI" | "H5"): WechatApp | undefined {
  const names = [`STORE_WECHAT_${kind}_APPID`, `STORE_WECHAT_${kind}_SECRET`] as const;
  const [appid, secret] = names.map((name) => env.get(name));
  if (!appid && !secret) return undefined;
  if (!appid || !secret) throw new Error(`Set both of ${names.join(", ")}, or none of them.`);
  return { appid, secret, apiUrl: env.get("STORE_WECHAT_API_URL") || "https://api.weixin.qq.com" };
}
