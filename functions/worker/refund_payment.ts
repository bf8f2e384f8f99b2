import {
  type PaymentProvider,
  ProviderRefused,
  type ReportedRefund,
  type RefundTerms,
} from "../_shared/providers/provider.ts";
import { providerOf, type Work } from "./work.ts";

/** The reason that the payer sees. */
const REASON = "退款 Refund";

/** Requests a refund from a provider and queries it until it is decided. */
export const refundPayment: Work = async (payload, tools) => {
  const provider = providerOf(payload, tools);
  const terms = {
    attemptNo: payload.attempt_no as string,
    refundNo: payload.refund_no as string,
    amountMinor: payload.amount_minor as number,
    totalMinor: payload.total_minor as number,
    reason: REASON,
  };
  const { state, refundId, reason } = await askForRefund(provider, terms);
  if (state === "unknown") throw new Error("the provider does not know the refund");
  await tools.database.callAsService("record_refund_state", {
    p_refund_no: terms.refundNo,
    p_state: state,
    p_provider_ref: refundId,
    p_reason: reason,
  });
  return state === "accepted" ? "undecided" : "recorded";
};

/** A refund that the provider knows is only queried. */
async function askForRefund(provider: PaymentProvider, terms: RefundTerms): Promise<ReportedRefund> {
  const known = await provider.queryRefund(terms.refundNo);
  if (known.state !== "unknown") return known;
  try {
    return await provider.refund(terms);
  } catch (error) {
    if (error instanceof ProviderRefused) return { state: "failed", reason: error.reason };
    throw error;
  }
}
