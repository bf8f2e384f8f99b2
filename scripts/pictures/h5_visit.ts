import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { untilLoaded } from "./until_loaded.ts";
import type { StackInfo } from "../ground/stack_file.ts";

/** A narrow phone of a member in China. */
const phoneSetting: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  timezoneId: "Asia/Shanghai",
  reducedMotion: "reduce",
  hasTouch: true,
  isMobile: true,
  // It would take requests before a test that answers them itself.
  serviceWorkers: "block",
};

/** A new session of an account, in the form in which auth-js stores it. */
export async function newSession(
  { supabase_url, publishable_key }: StackInfo,
  email: string,
  password: string,
): Promise<object> {
  const reply = await fetch(`${supabase_url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { "content-type": "application/json", apikey: publishable_key },
    body: JSON.stringify({ email, password }),
  });
  if (!reply.ok) throw new Error(await reply.text());
  return (await reply.json()) as object;
}

/** A phone on which the app was not opened yet. @param session of the member who has signed in on it */
export async function newPhone(
  browser: Browser,
  { supabase_url }: StackInfo,
  setting: BrowserContextOptions,
  session?: object,
): Promise<BrowserContext> {
  const storageState = session && {
    cookies: [],
    origins: [{ origin: supabase_url, localStorage: [{ name: "store-h5-session", value: JSON.stringify(session) }] }],
  };
  return browser.newContext({ ...phoneSetting, ...setting, ...(storageState && { storageState }) });
}

/** Waits until a page of the app has loaded. */
export const settleH5 = (page: Page): Promise<void> =>
  untilLoaded(page, "[aria-busy=true], .adm-skeleton, [role=progressbar]:not([aria-valuenow])");
