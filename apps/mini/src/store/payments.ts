import type { Api } from "../../../client/index.ts";
import { texts } from "../texts/texts.ts";
import { isCancelled } from "../wechat.ts";
import { Refused } from "./failure.ts";
import { api, ask } from "./store.ts";

/**
 * Pays an order in WeChat. A repeated call continues the same payment, so it is made once.
 * What WeChat tells the phone is no proof: the store says whether the order is paid.
 */
export async function pay(id: number): Promise<void> {
  const params = { path: { id } };
  const { start } = await ask(() =>
    api.POST("/api/order/{id}/pay", { params, body: { provider: "wechat", method: "jsapi" } }),
  );
  const { title, advice } = texts.payments.notOpened;
  if (start.kind !== "jsapi") throw new Refused(title, advice);
  const { timeStamp, nonceStr, package: prepaid, signType, paySign } = start;
  await wx
    .requestPayment({ timeStamp, nonceStr, package: prepaid, signType: signType as "RSA", paySign })
    .catch((error: unknown) => {
      if (!isCancelled(error)) throw new Refused(title, advice);
    });
}

/**
 * Opens the page of WeChat on which the member confirms the receipt of a withdrawal. That it was shown proves nothing.
 */
export function confirmReceipt({
  mch_id,
  app_id,
  package: what,
}: NonNullable<Api["OwnWithdrawal"]["confirmation"]>): Promise<void> {
  const { title, advice } = texts.withdrawals.confirm.notOpened;
  return new Promise((resolve, reject) => {
    wx.requestMerchantTransfer({
      mchId: mch_id,
      appId: app_id,
      package: what,
      success: () => resolve(),
      fail: (failure) => (isCancelled(failure) ? resolve() : reject(new Refused(title, advice))),
    });
  });
}
