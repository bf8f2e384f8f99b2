import { queryPayment } from "../_shared/providers/payments.ts";
import { providerOf, type Work } from "./work.ts";

/**
 * Asks the provider for a payment attempt of which nothing was heard: its notification may be lost. The record says
 * when the next call is due.
 */
export const queryOpenPayment: Work = async (payload, tools) => {
  await queryPayment(tools, providerOf(payload, tools), payload.attempt_no as string);
  return "recorded";
};
