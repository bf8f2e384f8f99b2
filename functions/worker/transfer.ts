import { openTransfers, type ReportedTransfer, type Transfers } from "../_shared/wechat/pay/transfers.ts";
import type { Work } from "./work.ts";

/** What `begin_transfer` returns. */
interface Terms {
  appid: string;
  openid: string | null;
  payee_name: string | null;
  amount_minor: number;
  must_cancel: boolean;
  may_request: boolean;
  can_be_confirmed: boolean;
}

/** Transfers a withdrawal by WeChat Pay and queries it until it is decided. */
export const transferToMember: Work = async (payload, { database, env }) => {
  const withdrawalNo = payload.withdrawal_no as string;
  const transfers = openTransfers(env);
  if (!transfers) throw new Error("WeChat Pay is not configured");
  const terms = JSON.parse(
    await database.callAsService("begin_transfer", { p_withdrawal_no: withdrawalNo, p_mchid: transfers.mchid }),
  ) as Terms | null;
  if (!terms) return "recorded";
  const reported = terms.must_cancel ? await cancelled(transfers, withdrawalNo, terms) : await requested(transfers, withdrawalNo, terms);
  const recorded = JSON.parse(
    await database.callAsService("record_transfer_state", {
      p_withdrawal_no: withdrawalNo,
      p_state: reported.state,
      p_provider_ref: reported.transferId,
      p_reason: reported.reason,
      p_package_info: reported.packageInfo,
    }),
  ) as { state: string };
  if (recorded.state !== "paying") return "recorded";
  if (reported.state === "unknown") {
    throw new Error(
      terms.must_cancel
        ? "the transfer was cancelled before WeChat Pay knew it: the amount returns an hour after the last request"
        : "WeChat Pay no longer reports the transfer, so it is not requested again: look it up in the merchant platform and record how it ended",
    );
  }
  return "undecided";
};

/**
 * A transfer that WeChat Pay knows is only queried, unless its member lacks what only the response to the request has. The number is the same.
 * One that WeChat Pay may have forgotten is only queried, too.
 */
async function requested(
  transfers: Transfers,
  transferNo: string,
  { appid, openid, payee_name, amount_minor, may_request, can_be_confirmed }: Terms,
): Promise<ReportedTransfer> {
  const known = await transfers.query(transferNo, amount_minor);
  if (!may_request || (known.state !== "unknown" && (known.state !== "confirming" || can_be_confirmed))) return known;
  return transfers.request({ transferNo, appid, openid: openid!, amountMinor: amount_minor, payeeName: payee_name });
}

/** A transfer that shall not be paid is never requested. What its member has confirmed is paid all the same. */
async function cancelled(transfers: Transfers, transferNo: string, { amount_minor }: Terms): Promise<ReportedTransfer> {
  const known = await transfers.query(transferNo, amount_minor);
  if (known.state !== "accepted" && known.state !== "confirming") return known;
  await transfers.cancel(transferNo);
  return transfers.query(transferNo, amount_minor);
}
