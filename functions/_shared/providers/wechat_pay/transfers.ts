import { z } from "@hono/zod-openapi";
import type { Environment } from "../../ground/env.ts";
import { type RequestingMerchant, readRequestingMerchant } from "./merchant.ts";
import { askWechatPay, unexpectedResponse } from "./request.ts";
import { encryptForWechatPay } from "./signature.ts";

/**
 * The values with which a transfer is requested. A repeated request for the same number has the same values and
 * transfers once.
 */
export interface TransferTerms {
  /** The store's number of the transfer, at most 32 digits and letters. */
  transferNo: string;
  /** The app in which the member signed in, and the member's id there. */
  appid: string;
  openid: string;
  /** In fen, at least 1. */
  amountMinor: number;
  /** The name that WeChat Pay compares with that of the account; null if it needs none. */
  payeeName: string | null;
}

/**
 * The state of a transfer at WeChat Pay. `confirming`: it waits for the member. `unknown`: WeChat Pay does not know the
 * transfer. The last three are final; all others may still be paid.
 */
export interface ReportedTransfer {
  state: "unknown" | "accepted" | "confirming" | "transferring" | "cancelling" | "succeeded" | "failed" | "cancelled";
  /** WeChat Pay's number of the transfer. */
  transferId?: string;
  /** A short code of WeChat Pay that says why it failed. */
  reason?: string;
  /** Opens the confirmation page. Only the response to a request has it. */
  packageInfo?: string;
}

/**
 * Transfers of WeChat Pay from the merchant to members, who confirm them in WeChat. Every method throws an error if it
 * is unknown whether the call had an effect. An error response is no proof that nothing will be paid, so none of them
 * counts as a refusal.
 */
export interface Transfers {
  /** The merchant. A client names it when it opens the confirmation page. */
  readonly mchid: string;
  request(terms: TransferTerms): Promise<ReportedTransfer>;
  query(transferNo: string, amountMinor: number): Promise<ReportedTransfer>;
  /** Has WeChat Pay cancel a transfer that the member has not confirmed. Afterwards, `query` tells how it ended. */
  cancel(transferNo: string): Promise<void>;
}

const BILLS = "/v3/fund-app/mch-transfer/transfer-bills";
/** What the member sees beside the amount. */
const REMARK = "佣金提现";

/** What WeChat Pay wants to know about the purpose. The default is the scene for commission. */
const SCENE_ID = "1005";
const REPORT = { 岗位类型: "推广员", 报酬说明: "推广佣金" };

const bill = z.object({
  out_bill_no: z.string(),
  transfer_bill_no: z.string().min(1).max(128),
  state: z.string(),
  fail_reason: z.string().nullish(),
  package_info: z.string().min(1).nullish(),
});
const queriedBill = bill.extend({ mch_id: z.string(), transfer_amount: z.int() });

interface Scene {
  id: string;
  report: Record<string, string>;
}

/**
 * The transfers of the configured merchant.
 * @returns undefined if the settings for requests are not set.
 * @throws Error that names the invalid setting
 */
export function openTransfers(env: Environment): Transfers | undefined {
  const merchant = readRequestingMerchant(env);
  if (!merchant) return undefined;
  const scene = readScene(env);
  return {
    mchid: merchant.mchid,
    request: (terms) => request(merchant, scene, terms),
    query: (transferNo, amountMinor) => query(merchant, transferNo, amountMinor),
    cancel: (transferNo) => cancel(merchant, transferNo),
  };
}

function readScene(env: Environment): Scene {
  const report = env.get("STORE_WECHAT_TRANSFER_REPORT");
  try {
    return {
      id: env.get("STORE_WECHAT_TRANSFER_SCENE_ID") || SCENE_ID,
      report: report ? z.record(z.string(), z.string()).parse(JSON.parse(report)) : REPORT,
    };
  } catch (error) {
    throw new Error("STORE_WECHAT_TRANSFER_REPORT must be a JSON object of texts.", { cause: error });
  }
}

async function request(
  merchant: RequestingMerchant,
  scene: Scene,
  { transferNo, appid, openid, amountMinor, payeeName }: TransferTerms,
): Promise<ReportedTransfer> {
  if (!merchant.appids.includes(appid)) throw new Error(`the app ${appid} is not in STORE_WECHAT_PAY_APPIDS`);
  const name = payeeName === null ? undefined : await encryptForWechatPay(merchant, payeeName);
  const response = await askWechatPay(
    merchant,
    "POST",
    BILLS,
    {
      appid,
      out_bill_no: transferNo,
      transfer_scene_id: scene.id,
      openid,
      ...(name && { user_name: name.text }),
      transfer_amount: amountMinor,
      transfer_remark: REMARK,
      notify_url: merchant.notifyUrl,
      transfer_scene_report_infos: Object.entries(scene.report).map(([info_type, info_content]) => ({
        info_type,
        info_content,
      })),
    },
    name?.serial,
  );
  const made = response.status === 200 ? bill.safeParse(response.body).data : undefined;
  if (made?.out_bill_no !== transferNo) throw unexpectedResponse("a transfer", response);
  return {
    ...reportedTransfer(made.state, made.transfer_bill_no, made.fail_reason),
    ...(made.package_info && { packageInfo: made.package_info }),
  };
}

async function query(merchant: RequestingMerchant, transferNo: string, amountMinor: number): Promise<ReportedTransfer> {
  const response = await askWechatPay(merchant, "GET", `${BILLS}/out-bill-no/${transferNo}`);
  if (response.status === 404 && response.body.code === "NOT_FOUND") return { state: "unknown" };
  const found = response.status === 200 ? queriedBill.safeParse(response.body).data : undefined;
  if (found?.out_bill_no !== transferNo || found.mch_id !== merchant.mchid || found.transfer_amount !== amountMinor)
    throw unexpectedResponse("the query of a transfer", response);
  return reportedTransfer(found.state, found.transfer_bill_no, found.fail_reason);
}

async function cancel(merchant: RequestingMerchant, transferNo: string): Promise<void> {
  const response = await askWechatPay(merchant, "POST", `${BILLS}/out-bill-no/${transferNo}/cancel`);
  if (response.status !== 200) throw unexpectedResponse("the cancellation of a transfer", response);
}

/** What the state of a transfer at WeChat Pay means. Responses and notifications have the same states. */
export function reportedTransfer(state: string, transferId: string, failReason?: string | null): ReportedTransfer {
  switch (state) {
    case "SUCCESS":
      return { state: "succeeded", transferId };
    case "FAIL":
      return { state: "failed", transferId, reason: failReason || "FAIL" };
    case "CANCELLED":
      return { state: "cancelled", transferId, reason: "CANCELLED" };
    case "WAIT_USER_CONFIRM":
      return { state: "confirming", transferId };
    case "TRANSFERING":
      return { state: "transferring", transferId };
    case "CANCELING":
      return { state: "cancelling", transferId };
    // ACCEPTED, PROCESSING, and states that may be added: not decided.
    default:
      return { state: "accepted", transferId };
  }
}
