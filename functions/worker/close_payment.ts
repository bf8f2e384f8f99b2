import { closePayment } from "../_shared/providers/payments.ts";
import { providerOf, type Work } from "./work.ts";

/** Ends a payment attempt whose time is over, or whose order takes no payment any more, unless it is paid. */
export const closeExpiredPayment: Work = async (payload, tools) => {
  const { state } = await closePayment(tools, providerOf(payload, tools), payload.attempt_no as string);
  if (state === "open") throw new Error("the provider has not closed the payment");
  return "recorded";
};
