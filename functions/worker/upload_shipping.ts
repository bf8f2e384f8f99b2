import { isTokenRejected, withAccessToken } from "../_shared/wechat/access_token.ts";
import { readWechatApp, type WechatApp } from "../_shared/wechat/app.ts";
import { failureOf, requestJson, type WechatResponse } from "../_shared/wechat/request.ts";
import type { Tools, Work } from "./work.ts";

interface ShippingNotice {
  transaction_id: string;
  openid: string;
  /** The app in which the payer signed in, if it is known. */
  appid: string | null;
  carrier: string | null;
  tracking_no: string | null;
  contact: string | null;
  item_desc: string;
}

type Ask = (path: string, body: unknown) => Promise<WechatResponse>;

const DEADLINE_MS = 20_000;
/** The order state of WeChat in which a notice is expected. */
const TO_SHIP = 1;
const EXPRESS = 1;
const DELIVERED_IN_CITY = 2;
/** The carrier of WeChat that wants the receiver's phone number. */
const SF = "SF";

/**
 * Reports the shipment of an order to WeChat, which withholds the money of orders paid in mini programs until then. WeChat is queried first
 * whether it expects the notice, because a repeated notice would count as a correction, of which it accepts one.
 */
export const uploadShipping: Work = async (payload, tools) => {
  const orderId = payload.order_id as number;
  const program = readWechatApp(tools.env, "MINI");
  const notice = JSON.parse(await tools.database.callAsService("get_shipping_notice", { p_order_id: orderId })) as ShippingNotice;
  // WeChat does not manage orders that were paid on web pages.
  if (notice.appid === null || notice.appid !== readWechatApp(tools.env, "H5")?.appid) {
    if (!program) throw new Error("no mini program is configured");
    await upload(notice, program, askWith(program, tools));
  }
  await tools.database.callAsService("record_shipping_notice", { p_order_id: orderId });
  return "recorded";
};

function askWith(program: WechatApp, { database }: Tools): Ask {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  return (path, body) =>
    withAccessToken(program, database, signal, async (token) => {
      const response = await requestJson(`${program.apiUrl}${path}?access_token=${encodeURIComponent(token)}`, signal, body);
      if (isTokenRejected(response.errcode)) return undefined;
      if (response.errcode !== 0) throw failureOf(path, response);
      return response;
    });
}

async function upload(notice: ShippingNotice, { appid }: WechatApp, ask: Ask): Promise<void> {
  const { transaction_id, openid } = notice;
  const { is_trade_managed } = await ask("/wxa/sec/order/is_trade_managed", { appid });
  if (is_trade_managed !== true) return;
  // WeChat does not know a payment during the first seconds. The row is then due again.
  const { order } = await ask("/wxa/sec/order/get_order", { transaction_id });
  if ((order as { order_state?: number } | undefined)?.order_state !== TO_SHIP) return;
  await ask("/wxa/sec/order/upload_shipping_info", {
    order_key: { order_number_type: 2, transaction_id },
    delivery_mode: 1,
    ...(await shippingOf(notice, ask)),
    upload_time: new Date().toISOString(),
    payer: { openid },
  });
}

/** The method of shipment. An order without a tracking number is delivered by the store itself. */
async function shippingOf({ carrier, tracking_no, contact, item_desc }: ShippingNotice, ask: Ask): Promise<object> {
  if (!carrier || !tracking_no) return { logistics_type: DELIVERED_IN_CITY, shipping_list: [{ item_desc }] };
  const { delivery_list: carriers } = await ask("/cgi-bin/express/delivery/open_msg/get_delivery_list", {});
  const known = (carriers as { delivery_id: string; delivery_name: string }[] | undefined)?.find(
    ({ delivery_id, delivery_name }) =>
      delivery_id === carrier.toUpperCase() || delivery_name === carrier || delivery_name.startsWith(carrier),
  );
  if (!known) throw new Error(`WeChat knows no carrier ${carrier}: give the order the name or code of a carrier in WeChat's list`);
  const express_company = known.delivery_id;
  const needsContact = express_company === SF && contact !== null;
  return {
    logistics_type: EXPRESS,
    shipping_list: [{ tracking_no, express_company, item_desc, ...(needsContact && { contact: { receiver_contact: contact } }) }],
  };
}
