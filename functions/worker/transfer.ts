import { z } from "@hono/zod-openapi";
import { readResult } from "../_shared/database/result.ts";
import { openTransfers, type ReportedTransfer, type Transfers } from "../_shared/providers/wechat_pay/transfers.ts";
import type { Work } from "./work.ts";

/** What `begin_transfer` returns while refund requests hold the withdrawal: the worker comes back later. */
const held = z.object({ is_held: z.literal(true) });

/** What it returns otherwise. */
const terms = z.object({
  is_held: z.literal(false),
  appid: z.string(),
  openid: z.string().nullable(),
  payee_name: z.string().nullable(),
  amount_minor: z.int(),
  must_cancel: z.boolean(),
  may_request: z.boolean(),
  can_be_confirmed: z.boolean(),
});
type Terms = z.infer<typeof terms>;

/** What `record_transfer_state` returns. */
const recorded = z.object({ state: z.string() });

/** Transfers a withdrawal by WeChat Pay and queries it until it is decided. */
export const transferToMember: Work = async (payload, { database, env }) => {
  const withdrawalNo = payload.withdrawal_no as string;
  const transfers = openTransfers(env);
  if (!transfers) throw new Error("WeChat Pay is not configured");
  const begun = readResult(
    z.union([held, terms]).nullable(),
    await database.callAsService("begin_transfer", { p_withdrawal_no: withdrawalNo, p_mchid: transfers.mchid }),
  );
  if (!begun) return "recorded";
  if (begun.is_held) return "undecided";
  const reported = begun.must_cancel
    ? await cancelled(transfers, withdrawalNo, begun)
    : await requested(transfers, withdrawalNo, begun);
  const { state } = readResult(
    recorded,
    await database.callAsService("record_transfer_state", {
      p_withdrawal_no: withdrawalNo,
      p_state: reported.state,
      p_provider_ref: reported.transferId,
      p_reason: reported.reason,
      p_package_info: reported.packageInfo,
    }),
  );
  if (state !== "paying") return "recorded";
  if (reported.state === "unknown") {
    throw new Error(
      begun.must_cancel
        ? "the transfer was cancelled before WeChat Pay knew it: the amount returns an hour after the last request"
        : "WeChat Pay no longer reports the transfer, so it is not requested again: look it up in the merchant platform and record how it ended",
    );
  }
  return "undecided";
};

/**
 * A transfer that WeChat Pay knows is only queried, unless its member lacks what only the response to the request has.
 * The number is the same. One that WeChat Pay may have forgotten is only queried, too.
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
