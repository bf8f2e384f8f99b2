import { closePayment } from "../_shared/providers/payments.ts";
import { providerOf, type Work } from "./work.ts";

/**
 * Closes a payment attempt that is past its expiry time, or whose order can no longer be paid, unless the attempt is
 * paid.
 */
export const closeExpiredPayment: Work = async (payload, tools) => {
  const { state } = await closePayment(tools, providerOf(payload, tools), payload.attempt_no as string);
  if (state === "open") throw new Error("the provider has not closed the payment");
  return "recorded";
};
