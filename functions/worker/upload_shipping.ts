import { readWechatApp } from "../_shared/wechat/api.ts";
import { notifyOfShipment, type Shipment } from "../_shared/wechat/shipping.ts";
import type { Work } from "./work.ts";

/** What `get_shipping_notice` returns. */
interface ShippingNotice extends Shipment {
  /** The app in which the payer signed in, if it is known. */
  appid: string | null;
}

/** Reports the shipment of an order to WeChat, which withholds the money of orders paid in mini programs until then. */
export const uploadShipping: Work = async (payload, { database, env }) => {
  const orderId = payload.order_id as number;
  const program = readWechatApp(env, "MINI");
  const notice = JSON.parse(
    await database.callAsService("get_shipping_notice", { p_order_id: orderId }),
  ) as ShippingNotice;
  // WeChat does not manage orders that were paid on web pages.
  if (notice.appid === null || notice.appid !== readWechatApp(env, "H5")?.appid) {
    if (!program) throw new Error("no mini program is configured");
    await notifyOfShipment(program, database, notice);
  }
  await database.callAsService("record_shipping_notice", { p_order_id: orderId });
  return "recorded";
};
