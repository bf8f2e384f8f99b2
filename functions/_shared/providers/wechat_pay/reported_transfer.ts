/**
 * The state of a transfer at WeChat Pay. `confirming`: it waits for the member. `unknown`: WeChat Pay does not know the transfer. The last
 * three are final; all others may still be paid.
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
