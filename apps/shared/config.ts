/** The addresses of the store. They are read at load time, so that one build serves every installation. */
export interface Config {
  /** Absolute, without a trailing slash. */
  supabaseUrl: string;
  publishableKey: string;
  /** The payment provider that the H5 app uses; undefined where members pay offline. */
  paymentProvider: string | undefined;
  /** The app id of the store's service account, with which members sign in to the H5 app inside WeChat. */
  wechatAppid: string | undefined;
  /** Whether `npm run share:pages` writes pages for share links beside the H5 app. */
  hasSharePages: boolean;
  /** Whether members of the H5 app sign in by a code that is sent to their phone, too. */
  phoneSignIn: boolean;
  /** The number under which the site is filed in mainland China, as 京ICP备12345678号-1. */
  icpNumber: string | undefined;
}

/** The server of the page did not respond. */
export class ConfigUnreachable extends Error {}

/**
 * Reads `config.json` beside the page. An address in it may be relative to the page.
 * @throws Error if the file is invalid, or ConfigUnreachable
 */
export async function loadConfig(): Promise<Config> {
  const reply = await fetch("config.json", { cache: "no-store" }).catch((cause: unknown) => {
    throw new ConfigUnreachable("config.json", { cause });
  });
  if (!reply.ok) throw new Error(`config.json: HTTP ${reply.status}`);
  const { supabase_url, publishable_key, payment_provider, wechat_appid, share_pages, phone_sign_in, icp_number } =
    (await reply.json()) as Record<string, unknown>;
  if (typeof supabase_url !== "string" || typeof publishable_key !== "string" || supabase_url.includes("<")) {
    throw new Error("config.json: supabase_url, publishable_key");
  }
  return {
    supabaseUrl: new URL(supabase_url, location.href).href.replace(/\/$/, ""),
    publishableKey: publishable_key,
    paymentProvider: typeof payment_provider === "string" ? payment_provider : undefined,
    wechatAppid: typeof wechat_appid === "string" ? wechat_appid : undefined,
    hasSharePages: share_pages === true,
    phoneSignIn: phone_sign_in === true,
    icpNumber: typeof icp_number === "string" && icp_number !== "" ? icp_number : undefined,
  };
}
