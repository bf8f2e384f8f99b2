/** The notifications of payment providers. */
export const payments = {
  title: "Payment notifications",
  about: "The notifications that payment providers sent, and what the store did with them.",
  provider: "Provider",
  amount: "Amount",
  currency: "Currency",
  reference: "Reference",
  outcome: "Outcome",
  received: "Received",
  outcomes: {
    paid: "Order paid",
    repeated: "Duplicate",
    refund: "Refund",
    transfer: "Withdrawal",
    ignored: "No action needed",
    refused: "Refused",
    attention: "Needs attention",
    unverified: "Invalid signature",
  },
  empty: "No notifications yet.",
};
