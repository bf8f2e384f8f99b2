import type { ReportedRefund } from "../provider.ts";

/** What the state of a refund at WeChat Pay means. Responses and notifications have the same states. */
export function reportedRefund(status: string, refundId: string): ReportedRefund {
  switch (status) {
    case "SUCCESS":
      return { state: "succeeded", refundId };
    case "CLOSED":
      return { state: "failed", refundId, reason: "CLOSED" };
    // The payer's account cannot take the money. The merchant decides on WeChat Pay's own pages where it goes, under the same number.
    case "ABNORMAL":
      return { state: "accepted", refundId, reason: "ABNORMAL" };
    default:
      return { state: "accepted", refundId };
  }
}
