/** Refunds, as the buyer sees them. */
export const refunds = {
  title: "Request a refund",
  list: "Refunds",
  state: { requested: "Requested", refused: "Refused", refunded: "Refunded" },
  units: "What to refund",
  unitsOf: "Units of {{title}}",
  reason: "Reason",
  reasonHint: "What is wrong with the order?",
  whatHappens: "The store decides on the request. While it is open, you cannot change it. Freight is not refunded.",
  points: "+{{points}} points",
  pointsReturn: "Points that paid for these units return to you with the refund.",
  ask: "Send the request",
  asked: "The request was sent.",
};
