/** Paying for an order. */
export const payments = {
  title: "Pay",
  amount: "Amount",
  online: "Pay online",
  leaves: "The page of the payment provider opens. After the payment, you return here.",
  wechatAsks: "WeChat Pay opens and asks you to confirm the payment.",
  notOpened: { title: "WeChat Pay did not open", advice: "Nothing was paid. Try again in a moment." },
  inWechat:
    "WeChat does not open this kind of payment. Choose “Open in browser” in the menu of WeChat, then pay there.",
  offline:
    "Pay at the store or by bank transfer and state the order number {{number}}. The order is marked as paid when the store has received the money.",
  understood: "OK",
  open: "Payment started",
  waiting: "The payment provider has not confirmed the payment yet. This page checks automatically.",
  until: "You can finish this payment until {{time}}.",
  result: {
    title: "Payment",
    paid: "Payment received",
    notPaid: "Not paid yet",
    notPaidHint: "If you have paid, the confirmation follows within a moment. Otherwise pay from the order.",
    toOrder: "View order",
    goOn: "Continue shopping",
  },
};
