import type { Api } from "../../../../client/index.ts";

/** What the browser of WeChat offers to pages. */
interface WechatBridge {
  invoke(name: string, parameters: object, done: (result: { err_msg: string }) => void): void;
}

declare global {
  interface Window {
    WeixinJSBridge?: WechatBridge;
  }
}

/** WeChat adds the bridge to a page some time after it has loaded. */
function wechatBridge(): Promise<WechatBridge> {
  if (window.WeixinJSBridge) return Promise.resolve(window.WeixinJSBridge);
  return new Promise((resolve) => {
    document.addEventListener("WeixinJSBridgeReady", () => resolve(window.WeixinJSBridge!), { once: true });
  });
}

/**
 * Opens WeChat Pay over the page and waits until the payer has closed it.
 * @returns what WeChat reports. `ok` proves nothing: the store asks WeChat Pay itself
 */
export async function payInWechat({ kind: _, ...parameters }: Extract<Api["StartedPayment"]["start"], { kind: "jsapi" }>): Promise<"ok" | "cancelled" | "failed"> {
  const bridge = await wechatBridge();
  const { err_msg } = await new Promise<{ err_msg: string }>((resolve) => bridge.invoke("getBrandWCPayRequest", parameters, resolve));
  return err_msg.endsWith(":ok") ? "ok" : err_msg.endsWith(":cancel") ? "cancelled" : "failed";
}
