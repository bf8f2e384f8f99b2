import type { Database } from "../database/database.ts";
import { requestWithToken } from "./access_token.ts";
import { failureOf, readResponse, type WechatApp, type WechatResponse } from "./api.ts";

/** An order that left the store, as WeChat wants to know it. */
export interface Shipment {
  /** WeChat Pay's number of the payment. */
  transaction_id: string;
  openid: string;
  carrier: string | null;
  /** Its code in the list of the store, which is that of WeChat's list, if it is there. */
  carrier_code: string | null;
  tracking_no: string | null;
  /** The receiver's phone number, without its middle digits. */
  contact: string | null;
  item_desc: string;
}

type Ask = (path: string, body: object) => Promise<WechatResponse>;

const DEADLINE_MS = 20_000;
/** The order state of WeChat in which a notice is expected. */
const TO_SHIP = 1;
const EXPRESS = 1;
const DELIVERED_IN_CITY = 2;
/** The carrier of WeChat that wants the receiver's phone number. */
const SF = "SF";

/**
 * Notifies WeChat of a shipment. WeChat is queried first whether it expects the notice, because a repeated notice would
 * count as a correction, of which it accepts one. @throws Error that administrators see
 */
export async function notifyOfShipment(program: WechatApp, database: Database, shipment: Shipment): Promise<void> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const ask: Ask = async (path, body) => {
    const response = readResponse(await requestWithToken(program, database, path, body, signal));
    if (response.errcode !== 0) throw failureOf(path, response);
    return response;
  };
  const { transaction_id, openid } = shipment;
  const { is_trade_managed } = await ask("/wxa/sec/order/is_trade_managed", { appid: program.appid });
  if (is_trade_managed !== true) return;
  // WeChat does not know a payment during the first seconds. The row is then due again.
  const { order } = await ask("/wxa/sec/order/get_order", { transaction_id });
  if ((order as { order_state?: number } | undefined)?.order_state !== TO_SHIP) return;
  await ask("/wxa/sec/order/upload_shipping_info", {
    order_key: { order_number_type: 2, transaction_id },
    delivery_mode: 1,
    ...(await shippingOf(shipment, ask)),
    upload_time: new Date().toISOString(),
    payer: { openid },
  });
}

/** The method of shipment. An order without a tracking number is delivered by the store itself. */
async function shippingOf(
  { carrier, carrier_code, tracking_no, contact, item_desc }: Shipment,
  ask: Ask,
): Promise<object> {
  if (!carrier || !tracking_no) return { logistics_type: DELIVERED_IN_CITY, shipping_list: [{ item_desc }] };
  const { delivery_list: carriers } = await ask("/cgi-bin/express/delivery/open_msg/get_delivery_list", {});
  const known = (carriers as { delivery_id: string; delivery_name: string }[] | undefined)?.find(
    ({ delivery_id, delivery_name }) =>
      delivery_id === (carrier_code ?? carrier.toUpperCase()) ||
      delivery_name === carrier ||
      delivery_name.startsWith(carrier),
  );
  if (!known)
    throw new Error(
      `WeChat knows no carrier ${carrier}: give the order the name or code of a carrier in WeChat's list`,
    );
  const express_company = known.delivery_id;
  const needsContact = express_company === SF && contact !== null;
  return {
    logistics_type: EXPRESS,
    shipping_list: [
      { tracking_no, express_company, item_desc, ...(needsContact && { contact: { receiver_contact: contact } }) },
    ],
  };
}
