/** The calls to payment providers that are still to be made. */
export const outbox = {
  title: "Calls to providers",
  about: "Payments that a provider is to close, refunds that it is to pay, and shipments that WeChat is to be told. A call leaves this list when the provider has decided.",
  kind: "Call",
  kinds: { close_payment: "Close a payment", refund_payment: "Pay a refund", upload_shipping: "Report a shipment" },
  number: "Number at the provider",
  states: { waiting: "Waiting", failed: "Failed" },
  attempts: "Attempts",
  problem: "Last problem",
  next: "Next attempt",
  since: "Created",
  retry: "Retry now",
  retried: "The provider is called now.",
  empty: "No calls are waiting.",
  emptyFiltered: "No call is in this state.",
};
