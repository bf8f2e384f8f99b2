/** The calls to payment providers that are still to be made. */
export const outbox = {
  title: "Calls to providers",
  about:
    "Background calls to payment providers that are not completed: to look up a payment, to close one, to pay a refund, to transfer a withdrawal to WeChat, to report a shipment to WeChat, to send a notice by email to an administrator, or to remove a picture that nothing shows. A call leaves this list when the provider has confirmed the result.",
  kind: "Call",
  cause: "Order or withdrawal",
  kinds: {
    member_mail: "Mail to a member",
    member_wechat: "Message of WeChat to a member",
    notice: "Notice by email to an administrator",
    query_payment: "Look up a payment",
    close_payment: "Close a payment",
    refund_payment: "Pay a refund",
    upload_shipping: "Report a shipment",
    transfer: "Transfer a withdrawal",
    remove_picture: "Remove a picture that nothing shows",
  },
  number: "Number at the provider",
  states: { waiting: "Waiting", failed: "Failed" },
  attempts: "Attempts",
  problem: "Last problem",
  next: "Next attempt",
  since: "Created",
  retry: "Retry now",
  retried: "The provider is being called.",
  empty: "No calls are open.",
  emptyFiltered: "No calls are in this state.",
};
