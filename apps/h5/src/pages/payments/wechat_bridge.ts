import type { Api } from "../../../../client/index.ts";

/** What the browser of WeChat offers to pages. */
interface WechatBridge {
  invoke(name: string, parameters: object, done: (result: { err_msg: string }) => void): void;
}

type Outcome = "ok" | "cancelled" | "failed";

/** undefined until WeChat has added it. The JS-SDK declares it without a type. */
const presentBridge = () => window.WeixinJSBridge as WechatBridge | undefined;

/** WeChat adds the bridge to a page some time after it has loaded. */
function wechatBridge(): Promise<WechatBridge> {
  const present = presentBridge();
  if (present) return Promise.resolve(present);
  return new Promise((resolve) => {
    document.addEventListener("WeixinJSBridgeReady", () => resolve(presentBridge()!), { once: true });
  });
}

/**
 * Opens WeChat Pay over the page and waits until the payer has closed it.
 * @returns what WeChat reports. `ok` proves nothing: the store asks WeChat Pay itself
 */
export function payInWechat({
  kind: _,
  ...parameters
}: Extract<Api["StartedPayment"]["start"], { kind: "jsapi" }>): Promise<Outcome> {
  return invoke("getBrandWCPayRequest", parameters);
}

/**
 * Opens the page of WeChat on which the member confirms the receipt of a withdrawal.
 * @returns what WeChat reports. `ok` only means that the page was shown
 */
export function confirmInWechat({
  mch_id,
  app_id,
  package: packageInfo,
}: NonNullable<Api["OwnWithdrawal"]["confirmation"]>): Promise<Outcome> {
  return invoke("requestMerchantTransfer", { mchId: mch_id, appId: app_id, package: packageInfo });
}

async function invoke(name: string, parameters: object): Promise<Outcome> {
  const bridge = await wechatBridge();
  const { err_msg } = await new Promise<{ err_msg: string }>((resolve) => bridge.invoke(name, parameters, resolve));
  return err_msg.endsWith(":ok") ? "ok" : err_msg.endsWith(":cancel") ? "cancelled" : "failed";
}
