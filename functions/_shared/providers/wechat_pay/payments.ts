import { z } from "@hono/zod-openapi";
import type { Environment } from "../../ground/env.ts";
import {
  type PaymentProvider,
  type ReportedPayment,
  type PaymentStart,
  type PaymentTerms,
  ProviderRefused,
  type ReportedRefund,
  type RefundTerms,
} from "../provider.ts";
import { type RequestingMerchant, readRequestingMerchant } from "./merchant.ts";
import { askWechatPay, errorCode, unexpectedResponse, type WechatPayResponse } from "./request.ts";
import { newNonce, secondsNow, signLines } from "./signature.ts";

const PAYMENTS = "/v3/pay/transactions";
const REFUNDS = "/v3/refund/domestic/refunds";

const transaction = z.object({
  mchid: z.string(),
  out_trade_no: z.string(),
  transaction_id: z.string().min(1).max(128).optional(),
  trade_state: z.string(),
  amount: z.object({ total: z.int().min(1), currency: z.string().min(1).max(16) }).optional(),
});

const refund = z.object({
  refund_id: z.string().min(1).max(128),
  out_refund_no: z.string(),
  status: z.string(),
});

/**
 * The error codes of a definite refusal. With any other, it is unknown whether the number has been or will be
 * processed.
 */
const REFUSALS = [
  "PARAM_ERROR",
  "NO_AUTH",
  "SIGN_ERROR",
  "APPID_MCHID_NOT_MATCH",
  "MCH_NOT_EXISTS",
  "RULE_LIMIT",
  "NOT_ENOUGH",
  "USER_ACCOUNT_ABNORMAL",
];

/** WeChat Pay, API v3. @returns undefined if the settings for requests are not set */
export function createWechatPayProvider(env: Environment): PaymentProvider | undefined {
  const merchant = readRequestingMerchant(env);
  return (
    merchant && {
      name: "wechat",
      methods: ["jsapi", "h5"],
      start: (terms) => start(merchant, terms),
      query: (attemptNo) => query(merchant, attemptNo),
      close: (attemptNo) => close(merchant, attemptNo),
      refund: (terms) => requestRefund(merchant, terms),
      queryRefund: (refundNo) => queryRefund(merchant, refundNo),
    }
  );
}

async function start(merchant: RequestingMerchant, terms: PaymentTerms): Promise<PaymentStart> {
  const { attemptNo, method } = terms;
  if (method === "local") throw new ProviderRefused("METHOD_UNKNOWN");
  const appid = terms.appid ?? merchant.appids[0]!;
  if (!merchant.appids.includes(appid)) throw new ProviderRefused("APPID_NOT_CONFIGURED");
  const response = await askWechatPay(merchant, "POST", `${PAYMENTS}/${method}`, requestOf(merchant, appid, terms));
  if (response.status === 200 && method === "h5" && typeof response.body.h5_url === "string")
    return { kind: "h5", h5_url: response.body.h5_url };
  if (response.status === 200 && method === "jsapi" && typeof response.body.prepay_id === "string")
    return paymentInApp(merchant, appid, response.body.prepay_id);
  // This code is also used if the number was started with other values. Then WeChat Pay knows the payment.
  if (response.body.code === "INVALID_REQUEST" && (await query(merchant, attemptNo)).state === "unknown")
    throw new ProviderRefused("INVALID_REQUEST");
  throw failure("start", response);
}

function requestOf({ mchid, notifyUrl }: RequestingMerchant, appid: string, terms: PaymentTerms): object {
  return {
    appid,
    mchid,
    description: terms.description,
    out_trade_no: terms.attemptNo,
    time_expire: terms.expiresAt.toISOString().replace(/\.\d+Z$/, "+00:00"),
    notify_url: notifyUrl,
    amount: { total: terms.amountMinor, currency: "CNY" },
    ...(terms.method === "jsapi"
      ? { payer: { openid: terms.openid } }
      : { scene_info: { payer_client_ip: terms.clientIp, h5_info: { type: "Wap" } } }),
  };
}

/** The arguments of `wx.requestPayment`. */
async function paymentInApp(merchant: RequestingMerchant, appId: string, prepayId: string): Promise<PaymentStart> {
  const [timeStamp, nonceStr, prepay] = [secondsNow(), newNonce(), `prepay_id=${prepayId}`];
  const paySign = await signLines(merchant, [appId, timeStamp, nonceStr, prepay]);
  return { kind: "jsapi", appId, timeStamp, nonceStr, package: prepay, signType: "RSA", paySign };
}

async function query(merchant: RequestingMerchant, attemptNo: string): Promise<ReportedPayment> {
  const response = await askWechatPay(merchant, "GET", `${PAYMENTS}/out-trade-no/${attemptNo}?mchid=${merchant.mchid}`);
  if (response.status === 404) return { state: "unknown" };
  const found = response.status === 200 ? transaction.safeParse(response.body).data : undefined;
  if (found?.mchid !== merchant.mchid || found.out_trade_no !== attemptNo) throw failure("query", response);
  switch (found.trade_state) {
    // A refunded payment was paid.
    case "SUCCESS":
    case "REFUND":
      if (!found.transaction_id || !found.amount) throw failure("query", response);
      return {
        state: "paid",
        transactionId: found.transaction_id,
        amountMinor: found.amount.total,
        currency: found.amount.currency,
      };
    case "NOTPAY":
    case "USERPAYING":
      return { state: "open" };
    case "CLOSED":
    case "REVOKED":
      return { state: "closed" };
    default:
      return { state: "unknown" };
  }
}

async function close(merchant: RequestingMerchant, attemptNo: string): Promise<void> {
  const response = await askWechatPay(merchant, "POST", `${PAYMENTS}/out-trade-no/${attemptNo}/close`, {
    mchid: merchant.mchid,
  });
  // The caller queries afterwards, and finds out whether it is closed, was paid, or was never started.
  const isSettled =
    response.status === 204 ||
    response.status === 404 ||
    ["ORDER_PAID", "ORDERPAID", "ORDER_CLOSED"].includes(String(response.body.code));
  if (!isSettled) throw failure("close", response);
}

async function requestRefund(merchant: RequestingMerchant, terms: RefundTerms): Promise<ReportedRefund> {
  const response = await askWechatPay(merchant, "POST", REFUNDS, {
    out_trade_no: terms.attemptNo,
    out_refund_no: terms.refundNo,
    reason: terms.reason.slice(0, 80) || undefined,
    notify_url: merchant.notifyUrl,
    amount: { refund: terms.amountMinor, total: terms.totalMinor, currency: "CNY" },
  });
  if (response.status === 200) return refundIn(terms.refundNo, response);
  const isAmbiguous = ["INVALID_REQUEST", "RESOURCE_NOT_EXISTS"].includes(String(response.body.code));
  if (isAmbiguous && (await queryRefund(merchant, terms.refundNo)).state === "unknown")
    throw new ProviderRefused(String(response.body.code));
  throw failure("refund", response);
}

async function queryRefund(merchant: RequestingMerchant, refundNo: string): Promise<ReportedRefund> {
  const response = await askWechatPay(merchant, "GET", `${REFUNDS}/${refundNo}`);
  return response.status === 404 ? { state: "unknown" } : refundIn(refundNo, response);
}

function refundIn(refundNo: string, response: WechatPayResponse): ReportedRefund {
  const found = response.status === 200 ? refund.safeParse(response.body).data : undefined;
  if (found?.out_refund_no !== refundNo) throw failure("refund", response);
  return reportedRefund(found.status, found.refund_id);
}

/** What the state of a refund at WeChat Pay means. Responses and notifications have the same states. */
export function reportedRefund(status: string, refundId: string): ReportedRefund {
  switch (status) {
    case "SUCCESS":
      return { state: "succeeded", refundId };
    case "CLOSED":
      return { state: "failed", refundId, reason: "CLOSED" };
    // The payer's account cannot take the money. The merchant decides on WeChat Pay's own pages where it goes, under
    // the same number.
    case "ABNORMAL":
      return { state: "accepted", refundId, reason: "ABNORMAL" };
    default:
      return { state: "accepted", refundId };
  }
}

/** The error for a response that is not a success. */
function failure(what: string, response: WechatPayResponse): Error {
  const code = errorCode(response.body);
  if (response.status >= 400 && response.status < 500 && REFUSALS.includes(code)) return new ProviderRefused(code);
  return unexpectedResponse(what, response);
}
