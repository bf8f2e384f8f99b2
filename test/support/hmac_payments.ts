import { createHmac } from "node:crypto";

const SECRET = Buffer.alloc(24, 1);

/** The variable with which an edge function accepts these notifications. */
export const HMAC_PAYMENTS = { STORE_PAY_HMAC_SECRET: `whsec_${SECRET.toString("base64")}` };

/**
 * The notification of a payment for POST /api/pay/notify/hmac, signed according to Standard Webhooks.
 * @param amount in the smallest unit
 * @param id of the notification and of the payment
 */
export function hmacNotification(orderNo: string, amount: number, id = `paid-${orderNo}`): RequestInit {
  const body = JSON.stringify({
    type: "payment.succeeded",
    data: { order_no: orderNo, pay_ref: id, amount, currency: "CNY" },
  });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", SECRET).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`,
    },
  };
}
