import { randomText } from "../../../shared/random_text.ts";

/** Whether the app runs in the browser of WeChat. */
export const isInWechat = /MicroMessenger/i.test(navigator.userAgent);

/** The address with which the page was loaded. */
const loaded = location.href;

/**
 * The address of this page that the store signs, without the part behind `#`. On iPhones, WeChat compares the signature
 * with the address that was loaded, even if the page has changed it since; elsewhere with the present one.
 */
export function signedAddress(): string {
  const address = /iPhone|iPad/.test(navigator.userAgent) ? loaded : location.href;
  return address.split("#")[0]!;
}

/** Keeps what is needed after the visit to WeChat, in this tab. */
const storageKey = "store-h5-wechat";

interface Return {
  /** Works once, for five minutes. */
  code: string;
  /** The route that asked for the sign-in. */
  target: string;
}

let returned: Return | undefined;

/**
 * Leaves for WeChat, which leads back to this page with a code. Without a question to the user, since the id of the
 * user is all that is asked for.
 */
export function visitWechat(appid: string, target: string): void {
  const state = randomText();
  sessionStorage.setItem(storageKey, JSON.stringify({ state, target }));
  // WeChat requires this order.
  const query = new URLSearchParams({
    appid,
    redirect_uri: `${location.origin}${location.pathname}`,
    response_type: "code",
    scope: "snsapi_base",
    state,
  });
  location.assign(`https://open.weixin.qq.com/connect/oauth2/authorize?${query}#wechat_redirect`);
}

/**
 * Takes the code of a return from WeChat out of the address, so that a link to this page does not contain it.
 * @returns whether this tab has asked for it. Anyone may send a link with a code of their own, which would sign the
 * reader in to a stranger's account
 */
export function returnFromWechat(): boolean {
  const address = new URL(location.href);
  const [code, state] = ["code", "state"].map((name) => address.searchParams.get(name));
  if (!code || !state) return false;
  address.searchParams.delete("code");
  address.searchParams.delete("state");
  history.replaceState(null, "", address);
  const asked = JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as { state: string; target: string } | null;
  sessionStorage.removeItem(storageKey);
  if (asked?.state !== state) return false;
  returned = { code, target: asked.target };
  return true;
}

/** What the user has returned from WeChat with in this visit; undefined once {@link forgetWechatReturn} was called. */
export const wechatReturn = (): Return | undefined => returned;

/** Called when the code was used. */
export function forgetWechatReturn(): void {
  returned = undefined;
}
